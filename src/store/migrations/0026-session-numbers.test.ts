import { expect, it } from "vitest";
import { makeEarlierStore } from "../../../test/earlier-store.ts";
import { type Database, openMemoryDatabase } from "../../platform/sqlite/sqlite.ts";
import { upToDate } from "../open.ts";

const now = () => new Date("2026-11-15T12:00:00Z");

/** A store as the version before left it, with two sessions. */
async function earlierStore(): Promise<Database> {
  const db = openMemoryDatabase();
  await makeEarlierStore(db, "0026");
  db.exec(`
    INSERT INTO sessions (id, source, vendor_id, title, path, turn_count, problem_count, bytes, models, from_id)
      VALUES ('b', 'codex', 'b', 'Two', '/b', 1, 0, 1, '["m"]', 'x'), ('a', 'codex', 'a', 'One', '/a', 1, 0, 1, '[]', NULL);
    INSERT INTO turns (session_id, turn_index, user_message) VALUES ('a', 0, 'Hello'), ('b', 0, 'Hello');
    INSERT INTO tool_calls (id, session_id, turn_index, tool_name, status, label, result_size, sub_agent)
      VALUES (7, 'a', 0, 'bash', 'ok', 'mv x y', 3, 1), (9, 'b', NULL, 'view', 'failed', NULL, NULL, 0);
    INSERT INTO assistant_usage_events (id, session_id, turn_index, model, input_tokens, created_at, call_key)
      VALUES (4, 'b', 0, 'm', 12, '2026-11-01', 5), (6, 'a', NULL, 'm', NULL, NULL, NULL);`);
  return db;
}
const TABLES = ["sessions", "turns", "tool_calls", "assistant_usage_events"];
const rows = (db: Database, table: string) =>
  db
    .prepare(`SELECT * FROM ${table} ORDER BY id`)
    .all()
    .map(({ number: _, ...row }) => row);

it("keeps the rows of an earlier store, under the same names and ids", async () => {
  const db = await earlierStore();
  db.exec("PRAGMA foreign_keys = ON");
  const before = TABLES.map((table) => rows(db, table));
  const indexes = () =>
    db
      .prepare("SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'sessions' ORDER BY name")
      .all();
  const known = indexes();
  upToDate(db, now);
  expect(TABLES.map((table) => rows(db, table))).toEqual(before);
  expect(indexes()).toEqual(known);
  expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  expect(() => db.exec("INSERT INTO sessions SELECT * FROM sessions WHERE id = 'a'")).toThrow(/UNIQUE/);
});

it("takes rows by the names of Copilot CLI's store, and lets them be deleted", async () => {
  const db = upToDate(await earlierStore(), now);
  db.exec(`INSERT INTO tool_calls (session_id, turn_index, tool_name, status) VALUES ('b', 1, 'edit', 'ok');
    INSERT INTO assistant_usage_events (session_id, model) VALUES ('b', 'n');
    DELETE FROM tool_calls WHERE session_id = 'a'; DELETE FROM assistant_usage_events WHERE model = 'm'`);
  expect(
    rows(db, "tool_calls").map(({ id, session_id, tool_name, sub_agent }) => [
      id,
      session_id,
      tool_name,
      sub_agent,
    ]),
  ).toEqual([
    [9, "b", "view", 0],
    [10, "b", "edit", 0],
  ]);
  expect(rows(db, "assistant_usage_events").map(({ session_id, model }) => [session_id, model])).toEqual([
    ["b", "n"],
  ]);
});

it("looks calls up by their session", async () => {
  const db = upToDate(await earlierStore(), now);
  const plan = (sql: string) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all("a")
      .map(({ detail }) => String(detail))
      .join("; ");
  expect(plan("SELECT * FROM tool_calls WHERE session_id = ? AND turn_index = 0")).toMatch(
    /SEARCH s .*SEARCH call_rows USING INDEX idx_calls_session \(session=\? AND turn_index=\?\)/,
  );
  expect(plan("SELECT sum(input_tokens) FROM assistant_usage_events WHERE session_id = ?")).toMatch(
    /SEARCH usage_rows USING INDEX idx_usage_session/,
  );
});
