import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Session } from "../model/session/session.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { openStore } from "./open.ts";
import { search } from "./search/search.ts";
import { createSessionStore } from "./session-store.ts";

let folder: string;
let db: Database | undefined;
const notices: string[] = [];
const now = () => new Date("2026-11-15T12:00:00Z");
const open = (): Database => {
  db = openStore({ folder, now, notice: (sentence) => void notices.push(sentence) });
  return db;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-store-"));
  notices.length = 0;
});
afterEach(() => {
  db?.close();
  db = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const head = (id: string, title: string, more: Partial<Session> = {}) => ({
  session: {
    source: "copilot-cli",
    id,
    title,
    turns: 1,
    problems: 0,
    models: ["m"],
    path: `/home/${id}`,
    bytes: 10,
    updatedAt: "2026-11-14T00:00:00Z",
    ...more,
  },
  problems: [],
  mark: { fingerprint: { size: 10, mtimeMs: 1, ino: 1 } },
});
function put(database: Database, id: string, title: string, turns: [string, string, string?][]): void {
  const store = createSessionStore(database);
  store.begin();
  const rows = store.replace(id);
  for (const [index, [user, response, more]] of turns.entries())
    rows.turn({ index, user, response, more: more ?? "" });
  rows.file({ path: "src/auth/login.ts", tool: "edit", action: "edited", evidence: "tool", turn: 0 });
  store.finish(id, head(id, title));
  store.commit();
}
const ask = (database: Database, text: string) =>
  search(database, { text, filter: {}, limit: 20, now: now() });
const titles = (database: Database, text: string) => [
  ...new Set(ask(database, text).hits.map((hit) => hit.session.title)),
];

it("finds turns by words, beginnings, parts of identifiers, paths, titles and CJK", () => {
  const database = open();
  put(database, "a", "Flaky login", [["why does the rateLimiter fail?", "It lacks a TypeError: x guard"]]);
  put(database, "b", "Suche", [["全文検索機能を追加", "Größe geändert"]]);
  expect(titles(database, "ratelimiter fail")).toEqual(["Flaky login"]);
  expect(titles(database, "rateLim")).toEqual(["Flaky login"]);
  expect(titles(database, "limiter")).toEqual(["Flaky login"]);
  expect(titles(database, "src/auth/login.ts")).toContain("Flaky login");
  expect(titles(database, "検索")).toEqual(["Suche"]);
  expect(titles(database, "grosse OR größe")).toEqual(["Suche"]);
  expect(titles(database, "grö")).toEqual(["Suche"]);
  expect(titles(database, '"rateLimiter fail"')).toEqual(["Flaky login"]);
  expect(titles(database, "rateLimiter -TypeError")).toEqual([]);
});

it("says when only some of the words were found, and when a word was respelt", () => {
  const database = open();
  put(database, "a", "One", [["migrate the database schema", "done"]]);
  expect(ask(database, "migrate kubernetes")).toMatchObject({
    partial: true,
    hits: [{ session: { title: "One" } }],
  });
  expect(ask(database, "migarte schema")).toMatchObject({
    partial: false,
    respelt: [{ typed: "migarte", used: "migrate" }],
    hits: [{ turn: 0 }],
  });
});

it("narrows by the same rules as the list of sessions", () => {
  const database = open();
  const store = createSessionStore(database);
  store.begin();
  for (const [id, workspace, branch] of [
    ["a", "/work/shop", "feature/login"],
    ["b", "/work/shop-etl", "main"],
  ] as const) {
    store.replace(id).turn({ index: 0, user: "needle", more: "" });
    store.finish(id, head(id, id, { workspace, branch }));
  }
  store.commit();
  const found = (filter: object) =>
    search(database, { text: "needle", filter, limit: 9, now: now() }).hits.map((hit) => hit.session.id);
  expect(found({ workspace: "/work/shop" })).toEqual(["a"]);
  expect(found({ workspace: "shop" }).sort()).toEqual(["a", "b"]);
  expect(found({ branch: "login" })).toEqual(["a"]);
  expect(found({ sources: ["vscode"] })).toEqual([]);
});

it("forgets every word of a session that is replaced or removed", () => {
  const database = open();
  put(database, "a", "One", [
    ["alpha rateLimiter", "beta"],
    ["gamma", "delta", "epsilon"],
  ]);
  put(database, "a", "Two", [["zeta", "eta"]]);
  expect(titles(database, "alpha")).toEqual([]);
  expect(titles(database, "limiter")).toEqual([]);
  expect(titles(database, "epsilon")).toEqual([]);
  expect(titles(database, "zeta")).toEqual(["Two"]);
  database.exec("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 0)");
  createSessionStore(database).remove("a");
  expect(database.prepare("SELECT count(*) AS n FROM search_words").get()?.n).toBe(0);
});

it("answers queries written for Copilot CLI's own store", () => {
  const database = open();
  put(database, "a", "One", [["alpha", "beta"]]);
  const rows = database
    .prepare(
      `SELECT s.id, s.summary, si.source_type, si.source_id, t.user_message FROM search_index si
       JOIN sessions s ON si.session_id = s.id JOIN turns t ON t.session_id = s.id
       WHERE search_index MATCH 'alpha' AND si.source_type = 'turn'`,
    )
    .all();
  expect(rows).toEqual([
    { id: "a", summary: "One", source_type: "turn", source_id: "a:turn:0", user_message: "alpha" },
  ]);
});

it("sets a corrupt store aside and starts anew", () => {
  writeFileSync(
    join(folder, "session-store.db"),
    "this is not a database, and long enough to be looked at ".repeat(50),
  );
  expect(open().prepare("SELECT count(*) AS n FROM sessions").get()?.n).toBe(0);
  expect(notices).toHaveLength(1);
  expect(readdirSync(folder).filter((name) => name.includes(".corrupt-"))).toHaveLength(1);
});

it("leaves a store of a newer version alone", () => {
  open().exec("INSERT INTO migrations VALUES ('9999-later', '2030-01-01')");
  db?.close();
  db = undefined;
  expect(open).toThrow(expect.objectContaining({ code: "store-newer" }));
});

it("says in one sentence that the folder cannot be written", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => openStore({ folder: join(folder, "file"), now, notice: () => undefined })).toThrow(
    expect.objectContaining({ code: "store-unusable" }),
  );
});
