import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type RefreshOptions, type RefreshResult, refresh } from "../../../indexer/refresh.ts";
import { localFs } from "../../../platform/fs/local.ts";
import type { Database } from "../../../platform/sqlite/sqlite.ts";
import { type Catalog, openCatalog } from "../../../sources/catalog.ts";
import { SOURCES } from "../../../sources/registry.ts";
import { openStore } from "../../../store/open.ts";
import { createSessionStore } from "../../../store/session-store.ts";
import { CHILD_TABLES } from "../../../store/session-writer.ts";
import { startReaders } from "./readers.ts";

const fixtures = resolve(import.meta.dirname, "../../../../test/fixtures");
const now = () => new Date("2026-11-15T12:00:00Z");
const VARS = {
  "copilot-cli": "COPILOT_HOME",
  "claude-code": "CLAUDE_CONFIG_DIR",
  codex: "CODEX_HOME",
  vscode: "VSCODE_STORAGE_PATH",
};
let folder: string;
let db: Database;
let threads: Worker[] = [];
const note = (thread: Worker): void => void threads.push(thread);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-readers-"));
  for (const source of Object.keys(VARS))
    for (const name of readdirSync(join(fixtures, source)))
      cpSync(join(fixtures, source, name, "home"), join(folder, source), { recursive: true });
  db = openStore({ folder, now, notice: () => undefined });
  threads = [];
  process.on("worker", note);
});
afterEach(() => {
  process.off("worker", note);
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every session of the fixtures, with logs so large that threads are worth it, as far as the scan can tell. */
function catalogOf(): Catalog {
  const vars = Object.fromEntries(Object.entries(VARS).map(([id, name]) => [name, join(folder, id)]));
  const catalog = openCatalog(SOURCES, { platform: "linux", homeDir: folder, vars }, localFs);
  return {
    ...catalog,
    async scan(only) {
      const scan = await catalog.scan(only);
      const artifacts = scan.artifacts.map((artifact) => {
        const size = artifact.fingerprint.size + (4 << 20);
        return { ...artifact, fingerprint: { ...artifact.fingerprint, size } };
      });
      return { ...scan, artifacts };
    },
  };
}
const index = (into: Database, options: Partial<RefreshOptions> = {}): Promise<RefreshResult> =>
  refresh(catalogOf(), createSessionStore(into), { outputHead: 256, now, ...options });
const threadsOf = (count: number) => async (outputHead: number) => startReaders(count, outputHead);
const all = (from: Database) =>
  Object.fromEntries(
    ["sessions", "folders", ...CHILD_TABLES].map((table) => [
      table,
      from.prepare(`SELECT * FROM ${table}`).all(),
    ]),
  );

it("writes the same rows in the same order, however many threads read", async () => {
  const one = openStore({ folder: join(folder, "one"), now, notice: () => undefined });
  try {
    const alone = await index(one);
    expect(threads.length).toBe(0);
    const together = await index(db, { readers: threadsOf(2) });
    expect(threads.length).toBe(2);
    expect(alone.indexed).toBeGreaterThan(60);
    expect(together).toEqual(alone);
    expect(all(db)).toEqual(all(one));
    db.exec("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 0)");
    expect(await index(db, { readers: threadsOf(2) })).toMatchObject({ indexed: 0 });
    expect(threads.length).toBe(2);
  } finally {
    one.close();
  }
});

it("starts its threads before it looks at what lies beside the logs", async () => {
  const order: string[] = [];
  const catalog = catalogOf();
  const sidecars: Catalog["sidecars"] = {
    ...catalog.sidecars,
    note(artifact, before) {
      order.push("look");
      return catalog.sidecars.note(artifact, before);
    },
  };
  const readers = async (outputHead: number) => {
    order.push("start");
    return startReaders(1, outputHead);
  };
  await refresh({ ...catalog, sidecars }, createSessionStore(db), { outputHead: 256, now, readers });
  expect([order[0], order.lastIndexOf("start")]).toEqual(["start", 0]);
});

it("ends its threads where the store cannot be written", async () => {
  const ended = new Promise((resolve) => {
    process.once("worker", (thread) => thread.once("exit", resolve));
  });
  const other = openStore({ folder, now, notice: () => undefined });
  other.exec("BEGIN IMMEDIATE");
  await expect(index(db, { readers: threadsOf(1), patienceMs: 0 })).rejects.toThrow(/locked/);
  await ended;
  other.close();
});

it("says so when a thread dies, and loses nothing", async () => {
  process.once("worker", (thread) => thread.once("online", () => thread.terminate()));
  await expect(index(db, { readers: threadsOf(1) })).rejects.toMatchObject({
    message: expect.stringMatching(/^The thread that reads sessions ended before it was done/),
    hint: expect.stringContaining("rethread index"),
  });
  const { indexed } = await index(db);
  expect(indexed).toBeGreaterThan(60);
});

it("stops when told to, and ends its threads", async () => {
  const interrupt = new AbortController();
  const ended = new Promise((resolve) => {
    process.once("worker", (thread) => thread.once("exit", resolve));
  });
  const stopped = await index(db, {
    readers: threadsOf(1),
    signal: interrupt.signal,
    onProgress: ({ done }) => void (done === 10 && interrupt.abort()),
  });
  expect(stopped).toMatchObject({ indexed: 10 });
  await ended;
  expect(await index(db)).toMatchObject({ indexed: stopped.pending, unchanged: 10 });
});
