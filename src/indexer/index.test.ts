import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Problem } from "../model/problem.ts";
import type { Artifact } from "../model/session/session.ts";
import { localFs } from "../platform/fs/local.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { openCatalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { search } from "../store/search/search.ts";
import { createSessionStore } from "../store/session-store.ts";
import { CHILD_TABLES } from "../store/session-writer.ts";
import { rebuild } from "./rebuild.ts";
import { refresh } from "./refresh.ts";

const fixtures = resolve(import.meta.dirname, "../../test/fixtures/copilot-cli");
const now = () => new Date("2026-11-15T12:00:00Z");
let folder: string;
let home: string;
let db: Database;
const opened: string[] = [];

/** Counts the session files that are opened: the price of a refresh. */
const counting: SessionFs = {
  ...localFs,
  chunks: (path, range) => {
    opened.push(path);
    return localFs.chunks(path, range);
  },
  read: (path, range) => {
    opened.push(path);
    return localFs.read(path, range);
  },
};
const catalogOf = () =>
  openCatalog(
    SOURCES.filter((source) => source.id === "copilot-cli"),
    { platform: "linux", homeDir: folder, vars: { COPILOT_HOME: home } },
    counting,
  );
const index = () => refresh(catalogOf(), createSessionStore(db), { outputHead: 256, now });
const rows = (sql: string) => db.prepare(sql).all();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-index-"));
  home = join(folder, "home");
  const cases = readdirSync(fixtures);
  for (const name of cases) cpSync(join(fixtures, name, "home"), home, { recursive: true });
  db = openStore({ folder, now, notice: () => undefined });
  opened.length = 0;
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("opens no file of a home that has not changed", async () => {
  const first = await index();
  expect(first.indexed).toBeGreaterThan(10);
  expect(opened.length).toBeGreaterThan(10);
  opened.length = 0;
  expect(await index()).toMatchObject({ indexed: 0, unchanged: first.indexed, removed: 0, bytesRead: 0 });
  expect(opened).toEqual([]);
});

it("reads again what changed, and only that", async () => {
  await index();
  const [session] = rows(
    "SELECT id, path, turn_count FROM sessions WHERE problem_count = 0 AND turn_count > 0 ORDER BY id LIMIT 1",
  );
  const path = String(session?.path);
  const record = {
    type: "user.message",
    data: { content: "and now the zeppelin" },
    id: "81aa0000-0000-4000-8000-000000000000",
    timestamp: "2026-11-15T11:00:00.000Z",
    parentId: null,
  };
  appendFileSync(path, `${JSON.stringify(record)}\n`);
  opened.length = 0;
  expect(await index()).toMatchObject({ indexed: 1, removed: 0 });
  expect(new Set(opened.filter((file) => file.endsWith("events.jsonl")))).toEqual(new Set([path]));
  const { hits } = search(db, { text: "zeppelin", filter: {}, limit: 5, now: now() });
  expect(hits.map((hit) => [hit.session.id, hit.turn])).toContainEqual([
    session?.id,
    Number(session?.turn_count),
  ]);
});

it("says which sessions are new, changed and gone", async () => {
  const none = { added: [], changed: [], vanished: [] };
  const first = await index();
  expect(first.sessions.added).toHaveLength(first.indexed);
  expect((await index()).sessions).toEqual(none);
  const { id, folder: place } = oneSession();
  const key = { source: "copilot-cli", id };
  const other = join(place, "..", "0b6a0000-0000-4000-8000-00000000000a");
  appendFileSync(join(place, "events.jsonl"), "\n");
  expect((await index()).sessions).toEqual({ ...none, changed: [key] });
  renameSync(place, join(folder, "elsewhere"));
  expect((await index()).sessions).toEqual({ ...none, vanished: [key] });
  expect((await index()).sessions).toEqual(none);
  renameSync(join(folder, "elsewhere"), place);
  expect((await index()).sessions).toEqual({ ...none, changed: [key] });
  cpSync(place, other, { recursive: true });
  const { sessions } = await index();
  expect(sessions).toEqual({ ...none, added: [{ ...key, id: "0b6a0000-0000-4000-8000-00000000000a" }] });
  rmSync(other, { recursive: true });
  expect((await remove()).sessions).toEqual({ ...none, vanished: sessions.added });
});

it("says which sessions have other problems around them, though they are not read", async () => {
  const none = { added: [], changed: [], vanished: [] };
  const scan = await catalogOf().scan();
  const { source, id, path } = scan.artifacts[0] as Artifact;
  const hidden: Problem = { code: "session-hidden", source, session: id, path, message: "hidden" };
  const seeing = (problems: readonly Problem[]) =>
    refresh({ ...catalogOf(), scan: async () => ({ ...scan, problems }) }, createSessionStore(db), {
      outputHead: 256,
      now,
    });
  expect((await seeing([hidden])).sessions.changed).toEqual([]); // all of them are new
  expect((await seeing([hidden])).sessions).toEqual(none);
  const { indexed, sessions } = await seeing([]);
  expect({ indexed, sessions }).toEqual({ indexed: 0, sessions: { ...none, changed: [{ source, id }] } });
});

it("says of a rebuild which sessions the store did not know, and which are gone", async () => {
  const { sessions } = await index();
  const { id, folder: place } = oneSession();
  const key = { source: "copilot-cli", id };
  renameSync(place, join(folder, "elsewhere"));
  const without = await rebuild(catalogOf(), folder, { outputHead: 256, now, vanished: "remove" });
  expect(without.sessions.added).toEqual([]);
  expect(without.sessions.changed).toHaveLength(sessions.added.length - 1);
  expect(without.sessions.vanished).toEqual([key]);
  renameSync(join(folder, "elsewhere"), place);
  const { added, vanished } = (await rebuild(catalogOf(), folder, { outputHead: 256, now })).sessions;
  expect({ added, vanished }).toEqual({ added: [key], vanished: [] });
});

const remove = () =>
  refresh(catalogOf(), createSessionStore(db), { outputHead: 256, now, vanished: "remove" });
/** The folder of a session with a folder of its own, and its id. */
const oneSession = () => {
  const [row] = rows("SELECT id, path FROM sessions WHERE path LIKE '%events.jsonl' ORDER BY id LIMIT 1");
  return { id: String(row?.id), folder: join(String(row?.path), "..") };
};
const gone = () => rows("SELECT id, vanished_at FROM sessions WHERE vanished_at IS NOT NULL");

it("keeps a session whose files are gone, marked, and knows it again when they are back", async () => {
  const { indexed } = await index();
  const { id, folder: place } = oneSession();
  const turns = () => rows(`SELECT count(*) AS n FROM turns WHERE session_id = '${id}'`);
  const before = turns();
  renameSync(place, join(folder, "elsewhere"));
  expect(await index()).toMatchObject({ indexed: 0, removed: 1, kept: 1, unchanged: indexed - 1 });
  expect(gone()).toEqual([{ id, vanished_at: now().toISOString() }]);
  expect(await index()).toMatchObject({ indexed: 0, removed: 0, kept: 0 });
  expect(turns()).toEqual(before);
  renameSync(join(folder, "elsewhere"), place);
  opened.length = 0;
  expect(await index()).toMatchObject({ indexed: 0, removed: 0, unchanged: indexed - 1 });
  expect({ gone: gone(), opened }).toEqual({ gone: [], opened: [] });
});

it("reads a session again that comes back changed", async () => {
  await index();
  const { id, folder: place } = oneSession();
  renameSync(place, join(folder, "elsewhere"));
  await index();
  renameSync(join(folder, "elsewhere"), place);
  appendFileSync(join(place, "events.jsonl"), "\n");
  expect(await index()).toMatchObject({ indexed: 1, removed: 0 });
  expect(gone()).toEqual([]);
  expect(rows(`SELECT count(*) AS n FROM sessions WHERE vendor_id = '${id}'`)).toEqual([{ n: 1 }]);
});

it("sees that a session moved to another home is still the same one", async () => {
  await index();
  const { id } = oneSession();
  renameSync(home, join(folder, "moved"));
  home = join(folder, "moved");
  expect(await index()).toMatchObject({ removed: 0, kept: 0 });
  expect(rows(`SELECT id, vanished_at FROM sessions WHERE vendor_id = '${id}'`)).toEqual([
    { id, vanished_at: null },
  ]);
});

it("removes a session whose files are gone when told to, also one that was kept before", async () => {
  const { indexed } = await index();
  const { id, folder: place } = oneSession();
  rmSync(place, { recursive: true });
  await index();
  expect(gone().length).toBe(1);
  expect(await remove()).toMatchObject({ indexed: 0, removed: 1, kept: 0, unchanged: indexed - 1 });
  expect(rows(`SELECT id FROM sessions WHERE id = '${id}'`)).toEqual([]);
  expect(rows(`SELECT count(*) AS n FROM turns WHERE session_id = '${id}'`)).toEqual([{ n: 0 }]);
});

it("does not take a home that is not there for one whose sessions were all deleted", async () => {
  const { indexed } = await index();
  renameSync(home, join(folder, "unmounted"));
  expect(await remove()).toMatchObject({ indexed: 0, removed: indexed, kept: indexed });
  expect(gone().length).toBe(indexed);
  renameSync(join(folder, "unmounted"), home);
  opened.length = 0;
  expect(await remove()).toMatchObject({ indexed: 0, removed: 0 });
  expect({ gone: gone(), opened }).toEqual({ gone: [], opened: [] });
});

it("makes the same rows when the store is built anew", async () => {
  const others = ["search_texts", "fingerprints", "bookmarks"];
  const tables = ["sessions", ...CHILD_TABLES].filter((table) => !others.includes(table));
  const all = () =>
    tables.map((table) =>
      rows(`SELECT * FROM ${table}`).map((row) => ({
        ...row,
        ...(table === "sessions" ? { number: 0 } : { id: 0 }),
      })),
    );
  await index();
  const before = all();
  db.exec("DELETE FROM problems; UPDATE turns SET user_message = 'changed behind our back'");
  writeFileSync(join(folder, "session-store.db.rebuild-999999999"), "left behind by a killed process");
  await rebuild(catalogOf(), folder, { outputHead: 256, now });
  expect(all()).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.includes("rebuild"))).toEqual([]);
});

it("stops when time is up, and goes on with the rest the next time", async () => {
  const store = createSessionStore(db);
  const first = await refresh(catalogOf(), store, { outputHead: 256, now, withinMs: 0 });
  expect(first).toMatchObject({ indexed: 1, unchanged: 0 });
  expect(first.pending).toBeGreaterThan(10);
  expect(await index()).toMatchObject({ indexed: first.pending, unchanged: 1, pending: 0 });
});

it("gives newer turns higher numbers, though it reads the newest sessions first", async () => {
  for (const day of ["05", "03", "04", "01", "02"]) {
    const id = `0b1c0000-0000-4000-8000-0000000000${day}`;
    const timestamp = `2026-10-${day}T10:00:00.000Z`;
    const record = { type: "user.message", data: { content: "Hello" }, id, timestamp, parentId: null };
    mkdirSync(join(home, "session-state", id), { recursive: true });
    const path = join(home, "session-state", id, "events.jsonl");
    writeFileSync(path, `${JSON.stringify(record)}\n`);
    utimesSync(path, Date.parse(timestamp) / 1000, Date.parse(timestamp) / 1000);
  }
  await index();
  const days = rows(
    "SELECT substr(timestamp, 1, 10) AS day FROM turns WHERE timestamp IS NOT NULL ORDER BY id",
  );
  const inTime = days.map(({ day }) => String(day));
  expect(new Set(inTime).size).toBeGreaterThan(4);
  expect(inTime).toEqual(inTime.toSorted());
});

it("keeps what it knows of sessions that are gone when the store is built anew", async () => {
  await index();
  const { id, folder: place } = oneSession();
  const known = () =>
    ["sessions", "turns", "session_files", "tool_calls", "session_tallies", "fingerprints"].map((table) =>
      rows(`SELECT * FROM ${table} WHERE ${table === "sessions" ? "id" : "session_id"} = '${id}'`).map(
        (row) => ({
          ...row,
          ...{ id: 0, number: 0 },
        }),
      ),
    );
  const hits = () =>
    search(db, { text: String(title), filter: {}, limit: 5, now: now() }).hits.map((hit) => hit.session.id);
  const title = rows(`SELECT title FROM sessions WHERE id = '${id}'`)[0]?.title;
  rmSync(place, { recursive: true });
  await index();
  const before = { known: known(), hits: hits() };
  expect(before.hits).toContain(id);
  await rebuild(catalogOf(), folder, { outputHead: 256, now });
  expect({ known: known(), hits: hits() }).toEqual(before);
  expect(
    db.prepare("INSERT INTO search_index (search_index) VALUES ('integrity-check')").run(),
  ).toBeDefined();
  await rebuild(catalogOf(), folder, { outputHead: 256, now, vanished: "remove" });
  expect(rows(`SELECT id FROM sessions WHERE id = '${id}'`)).toEqual([]);
});

it("shares the work between two processes, and does nothing twice", async () => {
  const sessions = (await catalogOf().scan()).artifacts.length;
  const other = openStore({ folder, now, notice: () => undefined });
  try {
    const results = await Promise.all(
      [db, other].map((each) => refresh(catalogOf(), createSessionStore(each), { outputHead: 256, now })),
    );
    expect(results.map(({ indexed, unchanged }) => indexed + unchanged)).toEqual([sessions, sessions]);
    expect(results.reduce((sum, { indexed }) => sum + indexed, 0)).toBe(sessions);
  } finally {
    other.close();
  }
});

it("waits for another process that writes, and stops waiting when told to", async () => {
  const other = openStore({ folder, now, notice: () => undefined });
  try {
    other.exec("BEGIN IMMEDIATE");
    const options = { outputHead: 256, now };
    const busy = refresh(catalogOf(), createSessionStore(db), { ...options, patienceMs: 20 });
    await expect(busy).rejects.toMatchObject({ errcode: 5 });
    const stopped = refresh(catalogOf(), createSessionStore(db), {
      ...options,
      signal: AbortSignal.timeout(20),
    });
    const { indexed, pending } = await stopped;
    expect({ indexed, isLeft: pending > 10 }).toEqual({ indexed: 0, isLeft: true });
    setTimeout(() => other.exec("COMMIT"), 20);
    expect((await index()).indexed).toBe(pending);
  } finally {
    other.close();
  }
});

it("keeps two sessions of one id apart", async () => {
  await index();
  const count = rows("SELECT count(*) AS n FROM sessions")[0]?.n;
  const other = join(folder, "other");
  cpSync(home, other, { recursive: true });
  const both = openCatalog(
    SOURCES.filter((source) => source.id === "copilot-cli").map((source) => ({
      ...source,
      locate: () => [home, other],
    })),
    { platform: "linux", homeDir: folder, vars: {} },
    localFs,
  );
  await refresh(both, createSessionStore(db), { outputHead: 256, now });
  expect(rows("SELECT count(*) AS n FROM sessions")[0]?.n).toBe(Number(count) * 2);
});
