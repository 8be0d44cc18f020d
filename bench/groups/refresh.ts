/** What it costs to notice that nothing, or one session, has changed. */
import { appendFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { refresh } from "../../src/indexer/refresh.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { openStore, storePath } from "../../src/store/open.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import type { Home } from "../corpus/homes.ts";
import { median, type Table, timeCommand } from "../table.ts";
import { storeOf } from "./index.ts";

export async function measureRefresh(table: Table, folder: string, home: Home): Promise<void> {
  let opened = 0;
  const fs = {
    ...localFs,
    chunks: (...args: Parameters<typeof localFs.chunks>) => {
      opened++;
      return localFs.chunks(...args);
    },
  };
  const sources = SOURCES.filter(({ id }) => id === home.source).map((source) => ({
    ...source,
    locate: () => [home.root],
  }));
  const catalog = openCatalog(sources, { platform: process.platform, homeDir: home.root, vars: {} }, fs);
  const now = (): Date => new Date();
  const db = openStore({ folder: storeOf(folder), now, notice: () => undefined });
  const store = createSessionStore(db);
  const run = (sweeping: "always" | "seldom" = "seldom") =>
    refresh(catalog, store, { outputHead: 256, now, sweeping });
  await run("always");

  const times: { ours: number; find: number }[] = [];
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    const { unchanged } = await run();
    const ours = performance.now() - began;
    if (unchanged !== home.sessions) throw new Error(`only ${unchanged} sessions are unchanged`);
    times.push({ ours, find: timeCommand("find", [home.root, "-newer", storePath(storeOf(folder))]) });
  }
  table.number(
    `refresh of ${home.sessions} unchanged sessions against find -newer`,
    median(times.map((one) => one.ours)) / median(times.map((one) => one.find)),
    "most",
    0.25,
  );
  table.equal("logs opened by it", opened, 0);

  const [log = ""] = home.logs;
  const line = `{"type":"user.message","data":{"content":"qzappended"},"id":"00000000-0000-4000-8000-000000000000","timestamp":"2026-10-01T00:00:00.000Z","parentId":null}\n`;
  appendAsProgram(log, line);
  const { indexed, bytesRead } = await run();
  table.equal("sessions indexed after one turn was appended", indexed, 1);
  table.number("bytes read for it, beyond those appended", bytesRead - line.length, "most", 8192);
  if (bytesRead > statSync(log).size) throw new Error("more was read than there is");
  db.close();
}

/** Copilot CLI locks a session before it appends to its log, which is how a session that was quiet for days is noticed. */
function appendAsProgram(log: string, line: string): void {
  const lock = join(dirname(log), `inuse.${process.pid}.lock`);
  writeFileSync(lock, String(process.pid));
  appendFileSync(log, line);
  rmSync(lock);
}
