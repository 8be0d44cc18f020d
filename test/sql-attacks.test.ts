/** Everything we could think of that SQL might do beside reading, and not one byte of the store changes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ErrorCode } from "../src/model/errors.ts";
import { answer, type QueryFailure } from "../src/store/sql/child.ts";
import type { QueryResult } from "../src/store/sql/query.ts";
import { makeStore, plantTraps } from "./sql-store.ts";

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-test-"));
  path = makeStore(folder);
  plantTraps(path);
});
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );
/** Without a process for each, which would take a minute; sql-bounds.test.ts shows that the process does the same. */
const codeOf = (sql: string): ErrorCode | "it ran" => {
  const reply = JSON.parse(answer({ path, sql, limit: 10 })) as QueryResult | QueryFailure;
  return "error" in reply ? reply.error.code : "it ran";
};

const REFUSED = [
  // Writing
  "INSERT INTO turns (session_id, turn_index) VALUES ('s1', 9)",
  "INSERT INTO turns (session_id, turn_index) VALUES ('s1', 9) RETURNING *",
  "INSERT INTO turns SELECT * FROM turns",
  "INSERT OR REPLACE INTO sessions (id) VALUES ('s1')",
  "REPLACE INTO sessions (id) VALUES ('s1')",
  "INSERT INTO turns (id) VALUES (1) ON CONFLICT DO UPDATE SET user_message = ''",
  "UPDATE turns SET user_message = ''",
  "UPDATE turns SET user_message = '' RETURNING id",
  "DELETE FROM turns",
  "DELETE FROM turns WHERE id IN (SELECT id FROM turns)",
  "WITH gone AS (SELECT id FROM turns) DELETE FROM turns WHERE id IN gone",
  "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5) INSERT INTO turns (id) SELECT x FROM c",
  "WITH x AS (SELECT 1) UPDATE sessions SET title = 'x' RETURNING *",
  "INSERT INTO trap_insert VALUES (1)",
  "INSERT INTO search_index (search_index) VALUES ('rebuild')",
  "INSERT INTO search_index (search_index) VALUES ('delete-all')",
  "INSERT INTO search_index_config VALUES ('x', 1)",
  "UPDATE sqlite_master SET sql = ''",
  "DELETE FROM sqlite_schema",
  // The same in other clothes
  "dElEtE fRoM tUrNs",
  "/* SELECT */ DELETE FROM turns",
  "-- SELECT 1\nDELETE FROM turns",
  "/* a /* b */ DELETE/**/FROM/**/turns -- SELECT",
  "\ufeffDELETE FROM turns",
  "\n\t\f\r ;;; DELETE FROM turns;",
  'DELETE FROM "turns"',
  "DELETE FROM [turns]",
  "DELETE FROM `main`.`turns`",
  "DELETE FROM main.turns",
  "DELETE FROM 'turns'",
  "EXPLAIN DELETE FROM turns",
  "EXPLAIN QUERY PLAN DELETE FROM turns",
  "DELETE FROM turns; SELECT 1",
  // Making, changing and dropping
  "CREATE TABLE x (a)",
  "CREATE TABLE x AS SELECT * FROM turns",
  "CREATE TEMP TABLE x (a)",
  "CREATE TEMPORARY TABLE IF NOT EXISTS x AS SELECT 1",
  "CREATE VIEW x AS SELECT 1",
  "CREATE TEMP VIEW x AS SELECT 1",
  "CREATE INDEX x ON turns (timestamp)",
  "CREATE TRIGGER x AFTER INSERT ON turns BEGIN SELECT 1; END",
  "CREATE TEMP TRIGGER x AFTER INSERT ON turns BEGIN SELECT 1; END",
  "CREATE VIRTUAL TABLE x USING fts5(a)",
  "CREATE VIRTUAL TABLE temp.x USING fts5vocab('main', 'search_index', 'row')",
  "CREATE VIRTUAL TABLE x USING dbstat",
  "DROP TABLE turns",
  "DROP TABLE IF EXISTS search_index",
  "DROP VIEW trap_insert",
  "DROP INDEX idx_sessions_repo",
  "DROP TRIGGER trap_update",
  "ALTER TABLE turns RENAME TO x",
  "ALTER TABLE turns ADD COLUMN x",
  "ALTER TABLE turns DROP COLUMN timestamp",
  "ANALYZE",
  "REINDEX",
  "VACUUM",
  "VACUUM INTO 'stolen.db'",
  "vacuum main into 'file:stolen.db?mode=rwc'",
  "EXPLAIN VACUUM INTO 'stolen.db'",
  // Other files
  "ATTACH 'other.db' AS other",
  "ATTACH DATABASE ':memory:' AS other",
  "aTtAcH/**/'file:other.db?mode=rwc'/**/aS other",
  "ATTACH (SELECT 'other.db') AS other",
  "DETACH main",
  // Transactions
  "BEGIN",
  "BEGIN IMMEDIATE",
  "COMMIT",
  "END TRANSACTION",
  "ROLLBACK",
  "SAVEPOINT x",
  "RELEASE x",
  "ROLLBACK TO x",
  // PRAGMAs, also as tables
  "PRAGMA table_info(turns)",
  "PRAGMA query_only = OFF",
  "PRAGMA main.journal_mode = DELETE",
  "pragma/**/writable_schema=on",
  "PRAGMA trusted_schema = ON",
  "PRAGMA temp_store_directory = '/'",
  "PRAGMA data_version",
  "PRAGMA main.data_version",
  "PRAGMA no_such_pragma",
  "EXPLAIN PRAGMA user_version",
  "SELECT * FROM pragma_table_info('turns')",
  "SELECT count(*) FROM pragma_database_list",
  "SELECT * FROM PRAGMA_Function_List",
  'SELECT * FROM "pragma_compile_options"',
  "SELECT * FROM main.pragma_user_version",
  "SELECT * FROM pragma_data_version",
  "SELECT p.name FROM turns, pragma_table_info('turns') AS p",
  "SELECT (SELECT file FROM pragma_database_list)",
  "SELECT 1 WHERE EXISTS (SELECT 1 FROM pragma_integrity_check)",
  "WITH p AS (SELECT * FROM pragma_journal_mode) SELECT * FROM p",
  "SELECT * FROM (SELECT 1 UNION SELECT journal_mode FROM pragma_journal_mode)",
  "SELECT * FROM trap_pragma",
  // Functions that do more than compute
  "SELECT load_extension('trap')",
  "SELECT LOAD_EXTENSION('trap', 'init')",
  "SELECT \"load_extension\"('trap')",
  "SELECT load_extension /* x */ ('trap')",
  "SELECT 1 WHERE 0 AND load_extension('trap')",
  "SELECT * FROM turns ORDER BY load_extension('trap')",
  "SELECT count(*) FILTER (WHERE load_extension('trap')) FROM turns",
  "WITH x AS MATERIALIZED (SELECT load_extension('trap')) SELECT 1 FROM x",
  "VALUES (1), (load_extension('trap'))",
  "SELECT * FROM json_each(load_extension('trap'))",
  "SELECT * FROM trap_extension",
  "SELECT (SELECT x FROM trap_extension)",
  "SELECT fts3_tokenizer('simple')",
  "SELECT fts3_tokenizer('simple', x'0000000000000000')",
  "SELECT * FROM trap_tokenizer",
  "SELECT fts5(NULL)",
  "SELECT optimize(old_search) FROM old_search",
  "SELECT sqlite_log(1, 'x')",
  "SELECT rtreecheck('turns')",
  "SELECT * FROM trap_rank",
  "SELECT * FROM search_index WHERE search_index MATCH 'login' AND rank MATCH 'load_extension()' ORDER BY rank",
  "SELECT * FROM search_index WHERE search_index MATCH 'login' AND rank MATCH 'fts3_tokenizer()' ORDER BY rank",
];

const OTHER: readonly (readonly [sql: string, code: ErrorCode])[] = [
  // A second statement
  ["SELECT 1; DROP TABLE turns", "sql-many-statements"],
  ["SELECT 1;DELETE FROM turns;", "sql-many-statements"],
  ["SELECT ';'; SELECT 2", "sql-many-statements"],
  ["SELECT 1 /* ; */; /* ; */ -- ;\n SELECT 2", "sql-many-statements"],
  ["SELECT 1; ; ;; PRAGMA user_version", "sql-many-statements"],
  ["SELECT 1; nonsense", "sql-many-statements"],
  ["SELECT 1\u0000; DROP TABLE turns", "sql-many-statements"],
  ["WITH x AS (SELECT 1) SELECT * FROM x; WITH y AS (SELECT 1) DELETE FROM turns", "sql-many-statements"],
  // No statement
  ["", "usage"],
  [" ;\n; ", "usage"],
  ["-- SELECT 1", "usage"],
  ["/* SELECT 1", "usage"],
  // Functions and tables that other builds of SQLite have; here they must stay unknown
  ["SELECT readfile('secret')", "sql-syntax"],
  ["SELECT writefile('x', 'y')", "sql-syntax"],
  ["SELECT edit('x')", "sql-syntax"],
  ["SELECT * FROM fsdir('/')", "sql-syntax"],
  ["SELECT * FROM sqlite_dbpage", "sql-syntax"],
  ["SELECT * FROM fts5('x')", "sql-syntax"],
  ["SELECT * FROM zipfile('x')", "sql-syntax"],
  [".shell ls", "sql-syntax"],
  ["\\! ls", "sql-syntax"],
  // Confusing the parser
  ["SELEC 1", "sql-syntax"],
  ["\u00a0SELECT 1", "sql-syntax"],
  ["SELECT\u200b1", "sql-syntax"],
  ["SELECT * FROM no_such_table", "sql-syntax"],
  ['SELECT "no such column"', "sql-syntax"],
  [`SELECT ${"(".repeat(5000)}1${")".repeat(5000)}`, "sql-syntax"],
  [`SELECT 1${" UNION ALL SELECT 1".repeat(600)}`, "sql-syntax"],
  [`SELECT '${"x".repeat(2 << 20)}'`, "sql-too-large"],
  // Failing half-way
  ["SELECT abs(-9223372036854775808)", "sql-failed"],
  ["SELECT json('{')", "sql-failed"],
  ["SELECT * FROM search_index WHERE search_index MATCH '\"'", "sql-failed"],
  [
    "SELECT * FROM search_index WHERE search_index MATCH 'login' AND rank MATCH 'bm25((SELECT load_extension(1)))'",
    "sql-failed",
  ],
];

describe("SQL that asks for more than reading", () => {
  const attacks = [...REFUSED.map((sql) => [sql, "sql-refused"] as const), ...OTHER];
  it.each(attacks.map(([sql, code], at) => [at, sql.replaceAll("\n", " ").slice(0, 90), sql, code] as const))(
    "%i: %s",
    (_at, _label, sql, code) => {
      const before = bytes();
      expect(codeOf(sql)).toBe(code);
      expect(bytes()).toEqual(before);
    },
  );
});
