/** People's own SQL on the hub: what the local store answers, of what one may see, and nothing but reading. */
import { beforeAll, describe, expect, it } from "vitest";
import { readHubSchema } from "../../src/hub/query/schema.ts";
import { createSqlRunner, type SqlRunner } from "../../src/hub/query/sql.ts";
import type { QueryResult } from "../../src/store/sql/run.ts";
import { type DemoHub, demoHub } from "./demo-hub.ts";
import type { Person } from "./people.ts";

let demo: DemoHub;
let sql: SqlRunner;
let stranger: Person;
beforeAll(async () => {
  demo = await demoHub();
  sql = createSqlRunner(demo.hub.db);
  stranger = await demo.people.add("sql stranger");
});

const ask = (text: string, more = {}, who = demo.robin): Promise<QueryResult> =>
  sql.run(who, { sql: text, ...more });
const locally = (text: string): unknown[][] =>
  demo.local
    .prepare(text)
    .all()
    .map((row) => Object.values(row));

describe("a query", () => {
  it.each([
    "SELECT source, count(*) AS n FROM sessions GROUP BY 1 ORDER BY 1",
    "SELECT title, turns, tool_calls, files_changed, input_tokens, output_tokens, problems, bytes FROM session_overview ORDER BY session",
    "SELECT session, turn, prompt, answer, tool_calls, inherited_from FROM turn_overview ORDER BY session, turn",
    "SELECT source, session, tool, status, label, result_size, sub_agent FROM tool_use ORDER BY session, turn, tool, label, result_size",
    "SELECT session, path, action, tool, turn, lines_added, lines_removed FROM file_use ORDER BY session, path",
    "SELECT session, model, input_tokens, output_tokens, duration_ms FROM model_use ORDER BY session, at, output_tokens",
    "SELECT day, source, repository, sessions, turns FROM daily_use ORDER BY 1, 2, 3",
    "SELECT s.vendor_id, r.ref_type, r.ref_value, r.evidence FROM session_refs r JOIN sessions s ON s.id = r.session_id ORDER BY 1, 2, 3",
    "SELECT s.vendor_id, c.checkpoint_number, c.title, c.overview FROM checkpoints c JOIN sessions s ON s.id = c.session_id ORDER BY 1, 2",
    "WITH long AS (SELECT session_id, count(*) AS n FROM turns GROUP BY 1) SELECT n, count(*) AS k FROM long GROUP BY 1 ORDER BY 1",
  ])("gives the rows of the local store: %s", async (text) => {
    const { columns, rows, truncated } = await ask(
      text.replaceAll(/ORDER BY (session\b|title)/g, 'ORDER BY $1 COLLATE "C"'),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(sorted(rows)).toEqual(sorted(locally(text)));
    expect(columns.length).toBe(rows[0]?.length);
    expect(truncated).toBe(false);
  });
  const sorted = (rows: readonly (readonly unknown[])[]): string[] =>
    rows.map((row) => JSON.stringify(row)).toSorted();

  it("says whose each row is, on which machine, and who sees it", async () => {
    const { rows } = await ask("SELECT DISTINCT person, machine, team, is_sealed FROM sessions");
    expect(rows).toEqual([["robin", "laptop", null, 0]]);
  });

  it("shows nothing of others", async () => {
    for (const table of [
      "sessions",
      "turns",
      "tool_calls",
      "session_overview",
      "turn_overview",
      "file_use",
      "daily_use",
    ])
      expect((await ask(`SELECT count(*) FROM ${table}`, {}, stranger)).rows).toEqual([[0]]);
  });

  it("gives no more rows than asked for, and says that there are more", async () => {
    const { rows, truncated } = await ask("SELECT n FROM generate_series(1, 100000) n", { limit: 3 });
    expect({ rows, truncated }).toEqual({ rows: [[1], [2], [3]], truncated: true });
  });

  it("gives texts, numbers and nothing", async () => {
    const text = `SELECT 1::int8, 9007199254740993::int8, 0.5::numeric, true, NULL, 'x'::bytea, '{"a":1}'::json,
      ARRAY[1,2], date '2026-01-02', timestamptz '2026-01-02 03:04:05+00' ; `;
    expect((await ask(text)).rows).toEqual([
      [1, "9007199254740993", 0.5, 1, null, "78", '{"a":1}', "{1,2}", "2026-01-02", "2026-01-02T03:04:05Z"],
    ]);
  });

  it("gives columns of the same name", async () => {
    expect(await ask("SELECT 1 AS a, 2 AS a -- and that is all")).toMatchObject({
      columns: ["a", "a"],
      rows: [[1, 2]],
    });
  });
});

/** Each is refused, with what is told of it. */
const REFUSED: readonly (readonly [sql: string, code: string])[] = [
  ["SELECT set_config('rethread.account', 'x', true)", "sql-refused"],
  ["SELECT current_setting('rethread.proof')", "sql-refused"],
  ["SHOW rethread.proof", "sql-refused"],
  ["SELECT pg_sleep(1)", "sql-refused"],
  ["SELECT pg_read_file('/etc/passwd')", "sql-refused"],
  ["SELECT pg_ls_dir('.')", "sql-refused"],
  ["SELECT lo_import('/etc/passwd')", "sql-refused"],
  ["SELECT lo_create(0)", "sql-refused"],
  ["SELECT pg_advisory_lock(1)", "sql-refused"],
  ["SELECT pg_advisory_xact_lock_shared(g) FROM generate_series(1, 100000) g", "sql-refused"],
  ["SELECT pg_cancel_backend(pid) FROM pg_stat_activity", "sql-refused"],
  ["SELECT pg_terminate_backend(1)", "sql-refused"],
  ["SELECT pg_notify('a', 'b')", "sql-refused"],
  ["SELECT * FROM pg_stat_activity", "sql-refused"],
  ["SELECT * FROM pg_catalog.pg_authid", "sql-refused"],
  ["SELECT * FROM pg_stats", "sql-refused"],
  ["SELECT * FROM pg_settings", "sql-refused"],
  ["SELECT * FROM information_schema.tables", "sql-refused"],
  ["SELECT * FROM hub.sessions", "sql-refused"],
  ["SELECT * FROM hub.tokens", "sql-refused"],
  ["SELECT * FROM hub.sessions_p0", "sql-refused"],
  ["SELECT * FROM hub_queue.job", "sql-refused"],
  ["SELECT hub.me()", "sql-refused"],
  ["SELECT hub.note_query()", "sql-refused"],
  ["SELECT query_to_xml('SELECT 1', true, true, '')", "sql-refused"],
  ["SELECT table_to_xml('store.sessions', true, true, '')", "sql-refused"],
  ["SELECT * FROM ts_stat('SELECT words FROM hub.turns')", "sql-refused"],
  ["SELECT ts_rewrite('a'::tsquery, 'SELECT 1')", "sql-refused"],
  ["SELECT lastval()", "sql-refused"],
  ["SELECT (SELECT max(x) FROM (SELECT pg_backend_pid() AS x) y) FROM sessions", "sql-refused"],
  ["SELECT count(*) FILTER (WHERE pg_try_advisory_lock(1)) FROM sessions", "sql-refused"],
  ["SELECT 1; SELECT 2", "sql-many-statements"],
  ["SELECT 1) x; COMMIT; SELECT (1", "sql-syntax"],
  ["SELECT 1) x; END; DROP VIEW store.sessions; --", "sql-syntax"],
  ["COMMIT", "sql-refused"],
  ["INSERT INTO sessions (id) VALUES ('x')", "sql-refused"],
  ["-- all of it\n/* really */ delete FROM sessions", "sql-refused"],
  ["(SELECT 1", "sql-syntax"],
  ["WITH gone AS (DELETE FROM hub.sessions RETURNING *) SELECT * FROM gone", "sql-refused"],
  ["UPDATE sessions SET title = ''", "sql-refused"],
  ["SELECT 1 INTO TEMP t", "sql-syntax"],
  ["CREATE TEMP TABLE t (a int)", "sql-refused"],
  ["COPY sessions TO PROGRAM 'id'", "sql-refused"],
  ["SET ROLE rethread_owner", "sql-refused"],
  ["DO $$BEGIN END$$", "sql-refused"],
  ["EXPLAIN ANALYZE SELECT 1", "sql-refused"],
  ["SELECT $1", "sql-syntax"],
  ["SELECT nothing FROM sessions", "sql-syntax"],
  ["", "sql-syntax"],
  ["SELECT 1/0", "sql-failed"],
  ["SELECT repeat('x', 2000000)", "sql-too-large"],
];

describe("what is no reading of one's own rows", () => {
  it.each(REFUSED)("is refused: %s", async (text, code) => {
    await expect(ask(text)).rejects.toMatchObject({ name: "AppError", code });
  });

  it.each([
    "SELECT count(*) FROM generate_series(1, 10000000000) n",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    String.raw`SELECT repeat('a', 5001) ~ '^(a+)(a+)(a+)\1\2\3$' `,
    "SELECT a.n FROM generate_series(1, 100000) a(n), generate_series(1, 100000) b(n) ORDER BY a.n * b.n DESC",
  ])("ends after its time: %s", async (text) => {
    await expect(ask(text, { timeoutMs: 300 })).rejects.toMatchObject({
      code: expect.stringMatching(/sql-timeout|sql-too-much-memory/),
    });
  });

  it("counts all that is fetched as one time", async () => {
    const slow =
      "SELECT n, (SELECT count(*) FROM generate_series(n, n + 300000)) AS k FROM generate_series(1, 100000) n";
    await expect(ask(slow, { timeoutMs: 500 })).rejects.toMatchObject({ code: "sql-timeout" });
  });

  it("refuses a result that is too large as a whole", async () => {
    await expect(ask("SELECT repeat('x', 900000) FROM generate_series(1, 100)")).rejects.toMatchObject({
      code: expect.stringMatching(/sql-too-large/),
    });
  });

  it("refuses a row that is small on the disk and large as a text", async () => {
    const packer = await demo.people.add("packer");
    await demo.people.ask(
      "INSERT INTO hub.turns (account_id, session_id, turn_index, user_message) SELECT $1, 'packed', n, repeat('a', 30000000) FROM generate_series(1, 3) n",
      [packer.account],
    );
    await expect(ask("SELECT user_message FROM turns", {}, packer)).rejects.toMatchObject({
      code: "sql-too-large",
    });
    expect((await ask("SELECT length(user_message) FROM turns LIMIT 1", {}, packer)).rows).toEqual([
      [30_000_000],
    ]);
  });

  it.each([
    "SELECT repeat('x', 2000000) AS a) \"one row\" UNION ALL SELECT * FROM (SELECT 'y' AS a",
    "SELECT 'y' AS a) \"one row\" CROSS JOIN LATERAL (SELECT repeat('x', 2000000) AS b) c, (SELECT 'z' AS a",
    'SELECT 1) "one row"; SELECT * FROM (SELECT 2',
    'SELECT 1) "one row" -- ',
    'SELECT 1) "one row" /*',
  ])("takes no part of a query that ends ours: %s", async (sql) => {
    const code = await ask(sql).then(
      () => "answered",
      (error: { readonly code?: string }) => error.code,
    );
    expect(code).toMatch(/^sql-/);
  });

  it("lets one account run two at a time, and others go on", async () => {
    const slow = (): Promise<unknown> =>
      ask("SELECT count(*) FROM generate_series(1, 1000000000) n", { timeoutMs: 700 }).catch(
        ({ code }) => code,
      );
    const running = [slow(), slow()];
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(ask("SELECT 1")).rejects.toMatchObject({ code: "too-many-requests" });
    expect((await ask("SELECT 1", {}, stranger)).rows).toEqual([[1]]);
    expect(await Promise.all(running)).toEqual(["sql-timeout", "sql-timeout"]);
    expect((await ask("SELECT 1")).rows).toEqual([[1]]);
  });

  it("stops with its caller", async () => {
    const controller = new AbortController();
    const running = ask("SELECT count(*) FROM generate_series(1, 1000000000) n", {
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), 50);
    await expect(running).rejects.toMatchObject({ code: "aborted" });
    expect(await active()).toEqual([]);
  });

  const active = (what = "pid"): Promise<unknown[]> =>
    demo.people.ask(
      `SELECT ${what} FROM pg_stat_activity WHERE usename = 'rethread_sql' AND datname = current_database() AND state = 'active'`,
    );

  it("says when its connection is lost", async () => {
    const endless =
      "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r";
    const running = ask(endless, { timeoutMs: 5000 });
    const ended = expect(running).rejects.toMatchObject({ code: "database-unavailable" });
    await expect.poll(() => active("pg_terminate_backend(pid)")).toHaveLength(1);
    await ended;
    expect((await ask("SELECT 1")).rows).toEqual([[1]]);
  });

  it("needs the scope read, and a token", async () => {
    const pusher = await demo.people.add("sql pusher", ["push"]);
    await expect(ask("SELECT 1", {}, pusher)).rejects.toMatchObject({ code: "hub-refused" });
    await expect(ask("SELECT 1", {}, { ...pusher, proof: "" })).rejects.toMatchObject({
      code: "not-signed-in",
    });
  });

  it("is noted in the audit table without its words", async () => {
    const noted = await demo.people.ask(
      "SELECT action, subject, detail FROM hub.audit WHERE actor = $1 LIMIT 1",
      [stranger.account],
    );
    expect(noted).toEqual([{ action: "sql", subject: "", detail: {} }]);
  });
});

it("describes the views of the local store, with whose each row is", async () => {
  const { views, tables } = await readHubSchema(demo.hub.db, demo.robin);
  expect(views.map(({ name }) => name)).toEqual([
    ...["session_overview", "turn_overview", "tool_use", "file_use", "model_use", "daily_use"],
  ]);
  for (const { name, columns } of views) {
    const { columns: real } = await ask(`SELECT * FROM ${name} LIMIT 0`);
    expect(real).toEqual(columns.map((column) => column.name));
  }
  expect(tables.map(({ name }) => name)).toContain("assistant_usage_events");
});
