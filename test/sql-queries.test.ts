/** Queries as people and agents write them for Copilot CLI's session store. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, type QueryFailure } from "../src/store/sql/child.ts";
import type { QueryResult } from "../src/store/sql/query.ts";
import { makeStore } from "./sql-store.ts";

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-test-"));
  path = makeStore(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const QUERIES: readonly (readonly [sql: string, rows: unknown[][]])[] = [
  [
    "SELECT id, summary FROM sessions WHERE repository = 'acme/shop' ORDER BY updated_at DESC",
    [["s1", "Fix the login"]],
  ],
  ["select count(*) from turns;", [[2]]],
  [" ;; SELECT 1 /* one */ ; -- done", [[1]]],
  ["\ufeffSELECT 1", [[1]]],
  [
    "VALUES (1, 'a'), (2, 'b')",
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  [
    "SELECT s.id, t.turn_index FROM sessions s JOIN turns t ON t.session_id = s.id WHERE t.user_message LIKE '%token%'",
    [["s1", 1]],
  ],
  [
    "SELECT s.id, count(f.id) FROM sessions s LEFT JOIN session_files f ON f.session_id = s.id GROUP BY s.id HAVING count(f.id) > 0",
    [["s1", 1]],
  ],
  ["SELECT session_id FROM session_refs WHERE ref_type = 'pr' AND ref_value = '42'", [["s1"]]],
  [
    "SELECT file_path FROM session_files WHERE file_path GLOB '*.ts' UNION SELECT 'x' ORDER BY 1",
    [["src/login.ts"], ["x"]],
  ],
  [
    "SELECT session_id, source_type FROM search_index WHERE search_index MATCH 'login AND token' ORDER BY rowid",
    [
      ["s1", "turn"],
      ["s1", "turn"],
    ],
  ],
  [
    "SELECT snippet(search_index, 0, '[', ']', '…', 3) FROM search_index WHERE search_index MATCH 'expired'",
    [["…The token [expired]"]],
  ],
  [
    "SELECT highlight(search_index, 0, '<b>', '</b>') FROM search_index WHERE content MATCH 'renew'",
    [["<b>Renew</b> the token\nDone, the login works"]],
  ],
  ["SELECT bm25(search_index, 10.0) < 0, rank < 0 FROM search_index('fail*') ORDER BY rank", [[1, 1]]],
  [
    "SELECT source_id FROM search_index WHERE search_index MATCH 'login' AND rank MATCH 'bm25(10.0, 5.0)' ORDER BY rank LIMIT 1",
    [["s1:turn:1"]],
  ],
  [
    "SELECT t.turn_index FROM search_index i JOIN turns t ON t.id = i.rowid WHERE search_index MATCH '\"token expired\"'",
    [[0]],
  ],
  [
    "WITH recent AS (SELECT * FROM turns WHERE turn_index > 0) SELECT user_message FROM recent",
    [["Renew the token"]],
  ],
  [
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT sum(x) FROM n",
    [[15]],
  ],
  ["SELECT j.value FROM sessions s, json_each(s.models) j", [["gpt-5"], ["o4"]]],
  ["SELECT models ->> '$[0]', models -> 1, json_array_length(models) FROM sessions", [["gpt-5", '"o4"', 2]]],
  ["SELECT json_group_array(turn_index), json_object('n', count(*)) FROM turns", [["[0,1]", '{"n":2}']]],
  ['SELECT fullkey FROM json_tree(\'{"a":{"b":1}}\') WHERE atom = 1', [["$.a.b"]]],
  [
    "SELECT row_number() OVER w, lag(turn_index, 1, -1) OVER w FROM turns WINDOW w AS (ORDER BY timestamp)",
    [
      [1, -1],
      [2, 0],
    ],
  ],
  ["SELECT sum(turn_index) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM turns", [[0], [1]]],
  ["SELECT date(timestamp), count(*) FROM turns GROUP BY 1", [["2026-11-10", 2]]],
  [
    "SELECT strftime('%H', timestamp), round((julianday(updated_at) - julianday(created_at)) * 24, 2) FROM turns JOIN sessions s ON s.id = session_id LIMIT 1",
    [["09", 1.5]],
  ],
  ["SELECT datetime('now') > '2020', unixepoch('2026-01-01') , current_date > '2020'", [[1, 1767225600, 1]]],
  [
    "SELECT coalesce(host_type, 'none'), iif(turn_count > 1, 'many', 'one'), typeof(bytes), printf('%03d', 7) FROM sessions",
    [["none", "many", "integer", "007"]],
  ],
  [
    "SELECT group_concat(turn_index, '+') FILTER (WHERE turn_index >= 0), total(id), median(id) FROM turns",
    [["0+1", 3, 1.5]],
  ],
  ["SELECT name FROM sqlite_master WHERE name = 'turns'", [["turns"]]],
  ["SELECT count(*) > 0 FROM search_index_data", [[1]]],
  ["SELECT doc FROM search_words WHERE term = 'token'", [[2]]],
  [
    "SELECT x.n FROM (SELECT (SELECT count(*) FROM turns WHERE session_id = s.id) AS n FROM sessions s) x",
    [[2]],
  ],
  ["SELECT 1 WHERE EXISTS (SELECT 1 FROM turns) AND 's1' IN (SELECT id FROM sessions)", [[1]]],
  ["SELECT ?1, :name, @x IS NULL", [[null, null, 1]]],
  ["SELECT 'DROP TABLE turns; -- ' || \"id\" FROM sessions", [["DROP TABLE turns; -- s1"]]],
  ["EXPLAIN QUERY PLAN SELECT 1", [[expect.any(Number), 0, 0, "SCAN CONSTANT ROW"] as unknown[]]],
];

describe("queries that read", () => {
  it.each(QUERIES)("%s", (sql, rows) => {
    const reply = JSON.parse(answer({ path, sql, limit: 10 })) as QueryResult | QueryFailure;
    expect(reply).toMatchObject({ rows, truncated: false });
  });
});
