/** Of a long log only the turns that changed files are read, and what they tell is the same. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { refresh } from "../../src/indexer/refresh.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { readEdits } from "../../src/query/blame/session-edits.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { findTurnsOfFiles } from "../../src/store/file-edits.ts";
import { openStore } from "../../src/store/open.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import { type Asking, createAsking } from "./asking.ts";
import { afterOf, type Change, toolUse } from "./changes.ts";
import { type AgentSession, claudeSession, copilotSession, homeVars, newId } from "./sessions.ts";

let asking: Asking;
let db: Database;
let bytes = 0;
const counting: SessionFs = {
  ...localFs,
  async *chunks(path, range) {
    for await (const chunk of localFs.chunks(path, range)) {
      bytes += chunk.length;
      yield chunk;
    }
  },
  async read(path, range) {
    const content = await localFs.read(path, range);
    bytes += content.length;
    return content;
  },
};
beforeEach(() => {
  asking = createAsking();
  mkdirSync(asking.home.workspace, { recursive: true });
  const now = () => new Date("2026-11-15T12:00:00Z");
  db = openStore({ folder: join(asking.home.folder, "store"), now, notice: () => undefined });
});
afterEach(() => {
  db.close();
  asking.remove();
});

/** Forty turns with much output, three of which change the file, and one another file. */
function longSession(session: AgentSession, path: string): void {
  let lines = ["one", "two", "three"];
  for (let turn = 0; turn < 40; turn++) {
    session.prompt(`Turn ${turn}`);
    if (turn % 10 === 5) {
      const marks = turn === 5 ? lines.map((line) => `+${line}`) : [`-${lines[1]}`, `+two of ${turn}`];
      const change: Change = { path, before: turn === 5 ? [] : lines, at: turn === 5 ? 0 : 1, marks };
      session.use(toolUse(session.source, turn === 5 ? "create" : "text", change));
      lines = afterOf(change);
    }
    const command = { command: `cat ${turn}`, description: "Look" };
    const output = `${turn} `.repeat(40_000);
    session.use({
      name: session.source === "copilot-cli" ? "bash" : "Bash",
      input: command,
      ok: true,
      output,
    });
  }
  session.save();
}

it.each([
  ["Copilot CLI", copilotSession],
  ["Claude Code", claudeSession],
] as const)("reads little of a session of %s", async (_, make) => {
  const path = join(asking.home.workspace, "a.ts");
  longSession(make(asking.home, newId()), path);
  const environment = {
    platform: "linux",
    homeDir: asking.home.folder,
    vars: homeVars(asking.home.folder),
  } as const;
  const catalog = openCatalog(SOURCES, environment, counting);
  await refresh(catalog, createSessionStore(db), { outputHead: 256, now: () => new Date() });
  const [artifact] = (await catalog.scan()).artifacts;
  if (!artifact) throw new Error("there is no session");
  const isWanted = (name: string): boolean => name === path;
  const row = String(db.prepare("SELECT id FROM sessions").get()?.id);

  const whole = await readEdits(catalog, artifact, { isWanted, turns: undefined });
  expect(whole?.edits.map(({ turn, edit }) => `${turn} ${edit.does}`)).toEqual([
    "5 write",
    "15 patch",
    "25 patch",
    "35 patch",
  ]);
  bytes = 0;
  const some = await readEdits(catalog, artifact, {
    isWanted,
    turns: findTurnsOfFiles(db, row, 5),
    leastLog: 0,
  });
  expect(some).toEqual(whole);
  expect(bytes).toBeLessThan(artifact.fingerprint.size / 2);

  // The same when the store knows another log than there is.
  const stale = findTurnsOfFiles(db, row, 5).map((turn) => ({
    ...turn,
    ...(turn.range && { range: { ...turn.range, digest: 1 } }),
  }));
  expect(await readEdits(catalog, artifact, { isWanted, turns: stale, leastLog: 0 })).toEqual(whole);
});
