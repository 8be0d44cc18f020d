import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../platform/fs/local.ts";
import { type Catalog, openCatalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore, type SessionStore } from "../store/session-store.ts";
import { type RefreshOptions, type RefreshResult, refresh } from "./refresh.ts";

const SESSIONS = 10;
const MB = 1 << 20;
const now = () => new Date("2026-11-15T12:00:00Z");
let folder: string;
let store: SessionStore;
/** Sessions that were read so far. */
let read: number;

/** A home whose logs are as large as the scan says, and no larger than they must be. */
const catalogOf = (size: number): Catalog => {
  const vars = { COPILOT_HOME: join(folder, "copilot") };
  const sources = SOURCES.filter(({ id }) => id === "copilot-cli");
  const catalog = openCatalog(sources, { platform: "linux", homeDir: folder, vars }, localFs);
  return {
    ...catalog,
    async scan(only) {
      const scan = await catalog.scan(only);
      const artifacts = scan.artifacts.map((artifact) => ({
        ...artifact,
        fingerprint: { ...artifact.fingerprint, size },
      }));
      return { ...scan, artifacts };
    },
    read(...args) {
      read++;
      return catalog.read(...args);
    },
  };
};
const ask = (size: number, options: Partial<RefreshOptions> = {}) =>
  refresh(catalogOf(size), store, {
    outputHead: 256,
    now,
    withinMs: 60_000,
    clock: () => 0,
    ...options,
  });
/** The last digits of the sessions in the store; 9 was written last. */
const known = (): number[] =>
  store.db
    .prepare("SELECT id FROM sessions ORDER BY id DESC")
    .all()
    .map(({ id }) => Number(String(id).at(-1)));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-answer-"));
  read = 0;
  for (let n = 0; n < SESSIONS; n++) {
    const id = `0b1c0000-0000-4000-8000-00000000000${n}`;
    const path = join(folder, "copilot/session-state", id, "events.jsonl");
    const timestamp = "2026-10-01T10:00:00.000Z";
    const record = { type: "user.message", data: { content: "Hello" }, id, timestamp, parentId: null };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(record)}\n`);
    utimesSync(path, 1_790_000_000 + n, 1_790_000_000 + n);
  }
  store = createSessionStore(openStore({ folder, now, notice: () => undefined }));
});
afterEach(() => {
  store.db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("lets a question wait for the newest 300 MB, and says what is left", async () => {
  expect(await ask(100 * MB)).toMatchObject({ indexed: 3, pending: 7, pendingBytes: 700 * MB });
  expect(known()).toEqual([9, 8, 7]);
  expect(await ask(100 * MB)).toMatchObject({ indexed: 3, unchanged: 3, pending: 4 });
  expect(known()).toEqual([9, 8, 7, 6, 5, 4]);
});

it("lets a question wait for three seconds, if that is sooner", async () => {
  const result = await ask(40 * MB, { clock: () => read * 1000 });
  expect(result).toMatchObject({ indexed: 3, pending: 7, pendingBytes: 280 * MB });
  expect(known()).toEqual([9, 8, 7]);
});

it("reads little before it answers, however long that takes, and as much as it is asked to for itself", async () => {
  expect(await ask(MB, { clock: () => read * 1000 })).toMatchObject({ indexed: 10, pending: 0 });
  store.db.exec("DELETE FROM fingerprints");
  const all = await refresh(catalogOf(100 * MB), store, { outputHead: 256, now });
  expect(all).toMatchObject({ indexed: 10, pending: 0, pendingBytes: 0 });
});

it("keeps the newest of an index that is interrupted", async () => {
  const interrupt = new AbortController();
  const catalog = catalogOf(MB);
  const interrupted: Catalog = {
    ...catalog,
    read(...args) {
      if (read === 3) interrupt.abort();
      return catalog.read(...args);
    },
  };
  const { signal } = interrupt;
  const result = await refresh(interrupted, store, { outputHead: 256, now, signal });
  expect(result).toMatchObject({ indexed: 4, pending: 6 });
  expect(known()).toEqual([9, 8, 7, 6]);
});

it("tells who reads elsewhere whether a question waits for it", async () => {
  const asked: boolean[] = [];
  const elsewhere = async (isForQuestion: boolean) => {
    asked.push(isForQuestion);
    return {} as RefreshResult;
  };
  await ask(100 * MB, { elsewhere });
  await ask(10 * MB, { elsewhere });
  await refresh(catalogOf(100 * MB), store, { outputHead: 256, now, elsewhere });
  expect([asked, read]).toEqual([[true, false, false], 0]);
});

it("counts the time that it took to look around, but reads for a second all the same", async () => {
  let looks = 0;
  const late = (lookedMs: number) => () => (looks++ === 0 ? 0 : lookedMs + read * 400);
  expect(await ask(40 * MB, { clock: late(1700) })).toMatchObject({ indexed: 3 });
  looks = 0;
  expect(await ask(60 * MB, { clock: late(9000) })).toMatchObject({ indexed: 3, pending: 7 });
});
