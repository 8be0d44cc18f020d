/**
 * Attacks on row-level security, as SQL: somebody who has got hold of a connection of the server, with a valid token of
 * their own or with none, tries to see or change what is another's.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientConfig } from "../../src/hub/database/connect.ts";
import { newToken, storedHash, toCredentials } from "../../src/hub/database/credentials.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { CITUS, newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { MACHINE, pushOf } from "./pushing.ts";

/** Stands in every row of the victim that says anything. */
const SECRET = "quetzalcoatlus";
const SESSION = hubSessionId("copilot-cli", "victims", MACHINE.id);
const OWN = hubSessionId("copilot-cli", "own", MACHINE.id);

let hub: TestHub;
let people: People;
let victim: Person;
let attacker: Person;
let team = "";
let before: unknown;

const line = (at: number, type: string, data: object): string =>
  `${JSON.stringify({ type, data, id: `e${at}`, timestamp: `2026-11-15T12:00:0${at}.000Z`, parentId: null })}\n`;

async function push(who: Person, id: string, word: string): Promise<void> {
  const text =
    line(0, "session.start", { sessionId: id, version: 1, producer: "copilot-agent" }) +
    line(1, "user.message", { content: `the ${word} password` });
  const facts = { title: word, workspace: `/home/${word}`, repository: `${word}/${word}` };
  const { header, bodies } = pushOf([{ path: `session-state/${id}/events.jsonl`, texts: [text] }], {
    ...{ id, facts, machine: { ...MACHINE, name: word } },
  });
  await receivePush(hub.db, who, header, bodies);
  await deriveSession(hub.db, { account: who.account, session: hubSessionId("copilot-cli", id, MACHINE.id) });
}

/** All that the victim has, as the superuser sees it. */
async function possessions(): Promise<unknown> {
  const tables = await people.ask(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'hub'::regnamespace AND relkind IN ('p', 'r') AND NOT relispartition AND relname <> 'migrations' ORDER BY 1",
  );
  expect(tables.length).toBeGreaterThan(15);
  const all: unknown[] = [];
  for (const { name } of tables)
    all.push([
      name,
      await people.ask(
        `SELECT md5(coalesce(string_agg(r::text, '|' ORDER BY r::text), '')) FROM hub.${name} r
        WHERE account_id = $1 ${name === "audit" ? "AND false" : ""}`,
        [victim.account],
      ),
    ]);
  return all;
}

beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  victim = await people.add(SECRET);
  attacker = await people.add("attacker");
  team = await people.team(`${SECRET} team`, victim);
  await people.team("attackers", attacker);
  await push(victim, "victims", SECRET);
  await push(attacker, "own", "ordinary");
  await people.ask(
    "INSERT INTO hub.shares (account_id, share_id, team_id, repository) VALUES ($1, $2, $3, $4)",
    [...[victim.account, randomUUID(), team, SECRET]],
  );
  await people.ask(
    "INSERT INTO hub.audit (account_id, entry_id, actor, action, subject) VALUES ($1, $2, $1, 'x', $3)",
    [...[victim.account, randomUUID(), SECRET]],
  );
  await people.ask("ANALYZE");
  before = await possessions();
});
afterAll(async () => {
  await people.close();
  await hub.close();
});

type Role = "app" | "sql";

interface Attack {
  readonly does: string;
  /** One or several statements, in one transaction with the attacker's own token. */
  readonly sql: string | (() => string);
  /** By whom; both, if nothing is said. */
  readonly role?: Role;
  /** The statements fail with this; without it, they give rows in which nothing of the victim stands. */
  readonly fails?: RegExp;
}

const forge = (account: string, proof: string): string =>
  `SET LOCAL rethread.account = '${account}'; SET LOCAL rethread.proof = '${proof}';`;
const ALL = [
  "sessions",
  "turns",
  "search_texts",
  "session_files",
  "session_refs",
  "tool_calls",
  "daily_stats",
  "checkpoints",
];
const DENIED = /permission denied|must be owner|row-level security|read-only transaction/;

const ATTACKS: readonly Attack[] = [
  // Who one claims to be.
  {
    does: "names the victim's account with one's own proof",
    sql: () => `${forge(victim.account, attacker.proof)} SELECT * FROM hub.sessions`,
  },
  {
    does: "names the victim's account with no proof",
    sql: () => `${forge(victim.account, "")} SELECT * FROM hub.turns`,
  },
  {
    does: "names the victim's account with the hash that is stored as proof",
    sql: () => `${forge(victim.account, storedHash(victim).toString("hex"))} SELECT * FROM hub.turns`,
  },
  { does: "names no account", sql: () => `${forge("", "")} SELECT * FROM hub.sessions` },
  { does: "names garbage as account", sql: () => `${forge("'' OR true", "x")} SELECT * FROM hub.sessions` },
  {
    does: "names the account in other letters and braces",
    sql: () => `${forge(`{${victim.account.toUpperCase()}}`, attacker.proof)} SELECT * FROM hub.sessions`,
  },
  { does: "resets the settings", sql: "RESET ALL; SELECT * FROM hub.sessions" },
  {
    does: "sets the worker's account",
    sql: () => `SET LOCAL rethread.work_account = '${victim.account}'; SELECT * FROM hub.sessions`,
  },
  {
    does: "turns row security off",
    sql: "SET LOCAL row_security = off; SELECT * FROM hub.sessions",
    fails: /row-level security/,
  },
  // Becoming somebody else.
  { does: "becomes the owner", sql: "SET ROLE rethread_owner", fails: /permission denied/ },
  { does: "becomes the worker", sql: "SET ROLE rethread_worker", fails: /permission denied/ },
  { does: "becomes the other login role", sql: "SET ROLE rethread_shard", fails: /permission denied/ },
  {
    does: "changes the session's user",
    sql: "SET SESSION AUTHORIZATION rethread_owner",
    fails: /permission denied/,
  },
  {
    does: "gives itself the owner's role",
    sql: "GRANT rethread_owner TO rethread_app, rethread_sql",
    fails: DENIED,
  },
  { does: "lets itself bypass row security", sql: "ALTER ROLE CURRENT_USER BYPASSRLS", fails: DENIED },
  { does: "makes a role", sql: "CREATE ROLE thief SUPERUSER", fails: DENIED },
  // Reading past the policies.
  {
    does: "reads all tables joined by the victim's account",
    role: "app",
    sql: () =>
      ALL.map((table) => `SELECT * FROM hub.${table} WHERE account_id = '${victim.account}'`).join(";"),
  },
  {
    does: "reads a partition",
    sql: "SELECT * FROM hub.sessions_p0 UNION ALL SELECT * FROM hub.sessions_p1",
    fails: DENIED,
  },
  { does: "reads with TABLE", sql: "TABLE hub.turns" },
  {
    does: "copies a table out",
    sql: "COPY hub.sessions TO STDOUT; COPY (SELECT * FROM hub.turns) TO STDOUT",
  },
  {
    does: "copies a query out to a program",
    sql: "COPY (SELECT * FROM hub.sessions) TO PROGRAM 'cat'",
    fails: /permission denied/,
  },
  { does: "copies a table to a file", sql: "COPY hub.sessions TO '/tmp/stolen'", fails: /permission denied/ },
  { does: "joins own rows with all others", sql: "SELECT o.* FROM hub.sessions m CROSS JOIN hub.sessions o" },
  {
    does: "reads by a subquery in a condition",
    sql: `SELECT (SELECT string_agg(title, ',') FROM hub.sessions), EXISTS (SELECT 1 FROM hub.turns WHERE user_message LIKE '%${SECRET}%') AS known`,
  },
  {
    does: "reads by an outer join and a lateral one",
    sql: () =>
      `SELECT t.* FROM (VALUES ('${victim.account}'::uuid)) v(a) LEFT JOIN LATERAL (SELECT * FROM hub.turns t WHERE t.account_id = v.a) t ON true`,
  },
  {
    does: "reads system columns and whole rows",
    sql: "SELECT s.ctid, s.xmin, s.tableoid::regclass::text, s::text FROM hub.sessions s",
  },
  {
    does: "reads a row by where it lies",
    sql: "SELECT * FROM hub.sessions WHERE ctid = ANY (ARRAY['(0,1)', '(0,2)', '(0,3)']::tid[])",
  },
  { does: "samples the table", sql: "SELECT * FROM hub.sessions TABLESAMPLE SYSTEM (100)" },
  {
    does: "reads the raw bytes",
    role: "app",
    sql: "SELECT account_id, session_id, encode(body, 'hex') FROM hub.raw_events",
  },
  {
    does: "reads the views of queries",
    role: "sql",
    sql: "SELECT * FROM store.session_overview; SELECT * FROM store.turn_overview; SELECT * FROM store.turns",
  },
  // Functions and operators that tell what they are given.
  {
    does: "calls a cheap function of its own before the policy",
    role: "app",
    sql: `CREATE FUNCTION pg_temp.tell(t text) RETURNS boolean COST 0.0000001 LANGUAGE plpgsql AS
            $$BEGIN RAISE NOTICE 'told %', t; IF t LIKE '%${SECRET}%' THEN RAISE EXCEPTION 'it is %', t; END IF; RETURN true; END$$;
          SELECT * FROM hub.sessions WHERE pg_temp.tell(title); SELECT * FROM hub.turns WHERE pg_temp.tell(user_message)`,
  },
  {
    does: "calls a function that claims to be leakproof",
    sql: "CREATE FUNCTION pg_temp.tell(t text) RETURNS boolean LEAKPROOF LANGUAGE sql AS 'SELECT true'",
    fails: /superuser can define a leakproof|read-only/,
  },
  {
    does: "uses an operator of its own",
    role: "app",
    sql: `CREATE FUNCTION pg_temp.tell(a text, b text) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN RAISE NOTICE '%', a; RETURN true; END$$;
          CREATE OPERATOR pg_temp.<<<< (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.tell, RESTRICT = eqsel);
          SELECT * FROM hub.sessions WHERE title OPERATOR(pg_temp.<<<<) 'x'`,
  },
  {
    does: "makes a division fail where a row is",
    sql: `SELECT * FROM hub.turns WHERE 1 / (CASE WHEN user_message LIKE '%${SECRET}%' THEN 0 ELSE 1 END) = 1`,
  },
  {
    does: "makes a cast fail with a row's text",
    sql: "SELECT * FROM hub.sessions WHERE CASE WHEN title LIKE '%ordinary%' THEN true ELSE title::int = 1 END",
  },
  {
    does: "makes a cast of JSON fail with a row's text",
    sql: "SELECT * FROM hub.sessions WHERE CASE WHEN title LIKE '%ordinary%' THEN true ELSE title::jsonb IS NOT NULL END",
  },
  {
    does: "lets EXPLAIN ANALYZE show what the policy removed",
    sql: `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) SELECT title FROM hub.sessions WHERE title LIKE '%word'`,
  },
  {
    does: "lets a plan show common values",
    sql: "EXPLAIN (VERBOSE) SELECT * FROM hub.sessions WHERE title > 'a'",
  },
  // Changing.
  {
    does: "adds a session to the victim's",
    role: "app",
    sql: () =>
      `INSERT INTO hub.sessions (account_id, id, machine_id, source, vendor_id) VALUES ('${victim.account}', 'planted', '${MACHINE.id}', 'copilot-cli', 'x')`,
    fails: DENIED,
  },
  {
    does: "adds one, and returns what is there on a conflict",
    role: "app",
    sql: () =>
      `INSERT INTO hub.sessions (account_id, id, machine_id, source, vendor_id) VALUES ('${victim.account}', '${SESSION}', '${MACHINE.id}', 'copilot-cli', 'x') ON CONFLICT DO NOTHING RETURNING *`,
    fails: DENIED,
  },
  {
    does: "updates the victim's rows on a conflict",
    role: "app",
    sql: () =>
      `INSERT INTO hub.raw_files (account_id, session_id, path, generation, size, sha256) SELECT '${victim.account}', '${SESSION}', path, 0, 0, '' FROM hub.raw_files ON CONFLICT DO NOTHING`,
    fails: DENIED,
  },
  {
    does: "changes the victim's title",
    role: "app",
    sql: () => `UPDATE hub.sessions SET title = 'mine' WHERE account_id = '${victim.account}' RETURNING *`,
  },
  {
    does: "changes whatever it can",
    role: "app",
    sql: "UPDATE hub.sessions SET title = title RETURNING title",
  },
  {
    does: "gives own rows to the victim",
    role: "app",
    sql: () => `UPDATE hub.sessions SET account_id = '${victim.account}'`,
    fails: DENIED,
  },
  {
    does: "takes the victim's rows",
    role: "app",
    sql: () =>
      `UPDATE hub.raw_events SET account_id = '${attacker.account}' WHERE account_id = '${victim.account}' RETURNING *`,
  },
  {
    does: "deletes using own rows",
    role: "app",
    sql: "DELETE FROM hub.raw_files f USING hub.raw_files o WHERE f.session_id <> o.session_id RETURNING f.*",
  },
  {
    does: "deletes the victim's rows",
    role: "app",
    sql: () => `DELETE FROM hub.sessions WHERE account_id = '${victim.account}' RETURNING *`,
  },
  {
    does: "merges into the victim's rows",
    role: "app",
    sql: () =>
      `MERGE INTO hub.sessions s USING (VALUES ('${SESSION}')) v(id) ON s.id = v.id WHEN MATCHED THEN UPDATE SET title = 'mine' WHEN NOT MATCHED THEN INSERT (account_id, id, machine_id, source, vendor_id) VALUES ('${victim.account}', 'planted', '${MACHINE.id}', 'x', 'x')`,
    fails: DENIED,
  },
  { does: "empties a table", sql: "TRUNCATE hub.sessions", fails: DENIED },
  {
    does: "writes derived rows of its own",
    role: "app",
    sql: () =>
      `INSERT INTO hub.turns (account_id, session_id, turn_index) VALUES ('${attacker.account}', '${OWN}', 7)`,
    fails: DENIED,
  },
  {
    does: "locks a table",
    role: "sql",
    sql: "LOCK TABLE hub.sessions IN ACCESS EXCLUSIVE MODE",
    fails: DENIED,
  },
  {
    does: "locks the victim's rows",
    role: "app",
    sql: () => `SELECT * FROM hub.sessions WHERE account_id = '${victim.account}' FOR UPDATE`,
  },
  {
    does: "puts its own session before a foreign team",
    role: "app",
    sql: () => `UPDATE hub.sessions SET team_id = '${team}'`,
    fails: /row-level security/,
  },
  {
    does: "adds files before a foreign team",
    role: "app",
    sql: () =>
      `INSERT INTO hub.raw_files (account_id, session_id, path, generation, size, sha256, team_id) VALUES ('${attacker.account}', '${OWN}', 'x', 0, 0, '', '${team}')`,
    fails: /row-level security/,
  },
  {
    does: "writes a share of the victim's repository for itself",
    role: "app",
    sql: () =>
      `INSERT INTO hub.shares (account_id, share_id, team_id, repository) VALUES ('${victim.account}', gen_random_uuid(), '${team}', 'x')`,
    fails: DENIED,
  },
  {
    does: "writes a share with a foreign team",
    role: "app",
    sql: () =>
      `INSERT INTO hub.shares (account_id, share_id, team_id, repository) VALUES ('${attacker.account}', gen_random_uuid(), '${team}', 'x')`,
    fails: DENIED,
  },
  {
    does: "joins the victim's team",
    role: "app",
    sql: () => `INSERT INTO hub.members (account_id, team_id) VALUES ('${attacker.account}', '${team}')`,
    fails: DENIED,
  },
  {
    does: "makes itself an account or a token",
    role: "app",
    sql: () =>
      `INSERT INTO hub.tokens (account_id, token_id, hash, scopes) VALUES ('${victim.account}', gen_random_uuid(), '\\x00', '{read}')`,
    fails: DENIED,
  },
  // Changing the rules.
  { does: "adds a policy", sql: "CREATE POLICY all_of_it ON hub.sessions USING (true)", fails: DENIED },
  { does: "drops a policy", sql: "DROP POLICY sees ON hub.sessions", fails: DENIED },
  {
    does: "switches row security off",
    sql: "ALTER TABLE hub.sessions DISABLE ROW LEVEL SECURITY",
    fails: DENIED,
  },
  {
    does: "adds a trigger",
    sql: "CREATE TRIGGER t BEFORE UPDATE ON hub.sessions FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    fails: DENIED,
  },
  {
    does: "adds a rule",
    sql: "CREATE RULE r AS ON SELECT TO hub.sessions DO INSTEAD SELECT 1",
    fails: DENIED,
  },
  {
    does: "makes a function among the hub's",
    sql: "CREATE FUNCTION hub.evil() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    fails: DENIED,
  },
  { does: "makes a table among the hub's", sql: "CREATE TABLE hub.loot (a text)", fails: DENIED },
  { does: "makes a table in public", sql: "CREATE TABLE public.loot (a text)", fails: DENIED },
  { does: "makes a schema", sql: "CREATE SCHEMA loot", fails: DENIED },
  {
    does: "replaces the function that knows who one is",
    sql: "CREATE OR REPLACE FUNCTION hub.me() RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'",
    fails: DENIED,
  },
  {
    does: "grants itself a table",
    sql: "GRANT ALL ON hub.tokens, hub.sessions TO PUBLIC; SELECT * FROM hub.tokens; SELECT * FROM hub.sessions",
  },
  { does: "installs an extension", sql: "CREATE EXTENSION dblink", fails: DENIED },
  {
    does: "makes a server that leads elsewhere",
    sql: "CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw",
    fails: /permission denied|does not exist|read-only/,
  },
  // Functions of the owner.
  {
    does: "puts its own function before that of the system for a function of the owner",
    role: "app",
    sql: `CREATE FUNCTION pg_temp.current_setting(text, boolean) RETURNS text LANGUAGE sql AS 'SELECT ''x''';
          CREATE FUNCTION pg_temp.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $1';
          SET LOCAL search_path = pg_temp, pg_catalog; SELECT hub.me() IS NOT NULL AS still, s.* FROM hub.sessions s`,
  },
  {
    does: "puts its own tables before those of a function of the owner",
    role: "app",
    sql: () => `CREATE TEMP TABLE members (account_id uuid, team_id uuid); INSERT INTO members VALUES ('${attacker.account}', '${team}');
          SET LOCAL search_path = pg_temp, hub, pg_catalog; SELECT hub.my_teams() @> ARRAY['${team}'::uuid] AS mine, s.* FROM hub.sessions s`,
  },
  {
    does: "searches for the victim's word",
    role: "app",
    sql: `SELECT * FROM hub.search_turns('${SECRET}', '{${SECRET}}', '{%}', NULL, NULL, 100, 100); SELECT * FROM hub.search_others('${SECRET}', '{}', '{}', NULL, NULL, 100, 100)`,
  },
  {
    does: "searches in the victim's session by its name",
    role: "app",
    sql: () =>
      `SELECT * FROM hub.search_turns('password', '{password}', '{%}', ARRAY['${victim.account}'::uuid], ARRAY['${SESSION}'], 100, 100)`,
  },
  {
    does: "asks which words there are",
    role: "app",
    sql: `SELECT * FROM hub.search_words('${SECRET} | password', '{${SECRET}}', '%', 100)`,
  },
  {
    does: "shares the victim's session with its own team",
    role: "app",
    sql: () => `SELECT hub.share((SELECT team_id FROM hub.teams LIMIT 1), '${SESSION}', NULL)`,
    fails: /no such session/,
  },
  {
    does: "shares its own with a foreign team",
    role: "app",
    sql: () => `SELECT hub.share('${team}', '${OWN}', NULL)`,
    fails: /no such team/,
  },
  {
    does: "takes back the victim's share",
    role: "app",
    sql: () =>
      "SELECT hub.unshare(share_id) FROM hub.shares; SELECT hub.unshare(gen_random_uuid()) AS nothing",
  },
  {
    does: "settles teams for the victim",
    role: "app",
    sql: () => `SELECT hub.settle_team('${victim.account}', '${SESSION}', NULL)`,
    fails: DENIED,
  },
  {
    does: "deletes the victim's session by the owner's function",
    role: "app",
    sql: `SELECT * FROM hub.delete_session('${SESSION}')`,
  },
  {
    does: "asks for rows of the victim's session",
    role: "app",
    sql: `SELECT hub.ask_for_rows('${SESSION}')`,
    fails: /no such session/,
  },
  {
    does: "notes a reading of the victim's session",
    role: "app",
    sql: () => `SELECT hub.note_read('${victim.account}', '${SESSION}'); SELECT * FROM hub.audit`,
  },
  { does: "calls what is the worker's", role: "app", sql: "SELECT hub.reindex_rows(NULL)", fails: DENIED },
  { does: "calls what is the server's", role: "sql", sql: "SELECT hub.note_use()", fails: DENIED },
  // What the system tells of values.
  {
    does: "reads common values from the statistics",
    sql: "SELECT schemaname, tablename, most_common_vals::text, histogram_bounds::text, most_common_elems::text FROM pg_stats WHERE schemaname = 'hub'",
  },
  { does: "reads the statistics themselves", sql: "SELECT * FROM pg_statistic", fails: DENIED },
  {
    does: "reads what others are asking",
    sql: "SELECT query FROM pg_stat_activity WHERE usename <> current_user AND query <> '<insufficient privilege>'",
  },
  { does: "reads passwords of roles", sql: "SELECT * FROM pg_authid", fails: DENIED },
  { does: "reads user mappings", sql: "SELECT * FROM pg_user_mapping", fails: DENIED },
  { does: "reads tokens", role: "app", sql: "SELECT * FROM hub.tokens" },
  {
    does: "reads tokens as the role of queries",
    role: "sql",
    sql: "SELECT * FROM hub.tokens",
    fails: DENIED,
  },
  { does: "reads the audit table", role: "app", sql: "SELECT * FROM hub.audit" },
  {
    does: "reads the audit table as the role of queries",
    role: "sql",
    sql: "SELECT * FROM hub.audit",
    fails: DENIED,
  },
  { does: "reads the queue", sql: "SELECT * FROM hub_queue.job", fails: DENIED },
  {
    does: "puts a job into the queue",
    sql: "INSERT INTO hub_queue.job (name) VALUES ('derive')",
    fails: DENIED,
  },
  {
    does: "reads who else there is",
    role: "app",
    sql: "SELECT * FROM hub.accounts; SELECT * FROM hub.teams; SELECT * FROM hub.members; SELECT * FROM hub.machines; SELECT * FROM hub.shares",
  },
  // Beyond tables.
  { does: "reads a file of the server", sql: "SELECT pg_read_file('postgresql.conf')", fails: DENIED },
  { does: "lists the server's folder", sql: "SELECT pg_ls_dir('.')", fails: DENIED },
  { does: "imports a file as a large object", sql: "SELECT lo_import('/etc/passwd')", fails: DENIED },
  {
    does: "loads a library",
    sql: "LOAD '/tmp/evil.so'",
    fails: /access to library|permission denied|not allowed/,
  },
  { does: "listens for what others say", sql: "LISTEN derive; NOTIFY derive, 'x'" },
  {
    does: "runs a block as if it were the owner's",
    role: "app",
    sql: "DO $$BEGIN EXECUTE 'SET ROLE rethread_owner'; END$$",
    fails: /permission denied/,
  },
  {
    does: "makes a function with the owner's rights",
    role: "app",
    sql: "CREATE FUNCTION pg_temp.f() RETURNS text SECURITY DEFINER LANGUAGE sql AS 'SELECT current_user::text'; ALTER FUNCTION pg_temp.f() OWNER TO rethread_owner",
    fails: /must be able to SET ROLE|must be member|permission denied/,
  },
  {
    does: "prepares a statement with another's account",
    role: "app",
    sql: () =>
      `PREPARE p AS SELECT * FROM hub.sessions; ${forge(victim.account, "")} EXECUTE p; DEALLOCATE p`,
  },
  {
    does: "keeps a cursor open over another account",
    role: "app",
    sql: () =>
      `DECLARE c CURSOR FOR SELECT * FROM hub.sessions; ${forge(victim.account, attacker.proof)} FETCH ALL FROM c`,
  },
];

const CASES = ATTACKS.flatMap((attack) =>
  (attack.role ? [attack.role] : (["app", "sql"] as const)).map((role) => ({ ...attack, role })),
);

/** Everything that comes back: rows, notices and the error. */
/** With what Citus refuses, before any policy is asked, what it cannot do at all. */
const NOT_ON_CITUS =
  /cannot execute a distributed query|complex joins are only|modifying the partition value|cannot perform distributed planning|schema "pg_temp" does not exist|non-IMMUTABLE functions are not|not allowed on this node|"hub\.sessions_p0" does not exist|is not available/;
const refusal = (expected: RegExp): RegExp =>
  CITUS ? new RegExp(`${expected.source}|${NOT_ON_CITUS.source}`) : expected;

/** Citus sends the nodes the text that a setting stands in, so each is sent by itself to be worth something there. */
const settingsOf = (sql: string): string[] =>
  /^(?:\s*(?:BEGIN|SET LOCAL|RESET)[^;]*;)*/.exec(sql)?.[0].split(";") ?? [];

async function sendEach(client: pg.Client, sql: string): Promise<string> {
  const settings = CITUS ? settingsOf(sql) : [];
  for (const setting of settings.slice(0, -1)) await client.query(setting);
  return sql.slice(settings.join(";").length);
}

async function carryOut(role: Role, sql: string): Promise<{ said: string; error?: string }> {
  const client = new pg.Client(clientConfig(hub.place, role));
  const said: string[] = [];
  client.on("notice", ({ message }) => void said.push(message ?? ""));
  client.on("notification", ({ payload }) => void said.push(payload ?? ""));
  client.connection.on("copyData", ({ chunk }: { chunk: Buffer }) => void said.push(chunk.toString()));
  await client.connect();
  try {
    await client.query(await sendEach(client, `BEGIN; ${forge(attacker.account, attacker.proof)}`));
    const results = await client.query(await sendEach(client, sql));
    await client.query("COMMIT");
    for (const { rows } of [results].flat()) said.push(JSON.stringify(rows));
    return { said: said.join("\n") };
  } catch (error) {
    return { said: said.join("\n"), error: String(error) };
  } finally {
    await client.end();
  }
}

describe(`${ATTACKS.length} attacks in SQL, carried out ${CASES.length} times`, () => {
  it.each(CASES)("$role: nobody $does", async ({ role, sql, fails }) => {
    const text = typeof sql === "string" ? sql : sql();
    const { said, error } = await carryOut(role, text);
    if (fails) expect(error).toMatch(refusal(fails));
    else if (error !== undefined) expect(error).toMatch(refusal(DENIED));
    expect(`${said} ${error ?? ""}`.replaceAll(text, "")).not.toContain(SECRET);
    expect(said).not.toContain(victim.account);
  });

  it("leaves all that the victim has as it was", async () => {
    expect(await possessions()).toEqual(before);
  });

  it("tries them on rows that are there: the victim sees what the attacker does not", async () => {
    const seen = await hub.db.as(victim, (tx) => tx.query("SELECT title FROM hub.sessions"));
    expect(seen).toEqual([{ title: `the ${SECRET} password` }]);
    const own = await hub.db.as(attacker, (tx) => tx.query("SELECT title FROM hub.sessions"));
    expect(own).toEqual([{ title: "the ordinary password" }]);
    for (const sql of ["SELECT * FROM hub.turns", "COPY (SELECT * FROM hub.turns) TO STDOUT"])
      expect((await carryOut("sql", sql)).said).toContain("the ordinary password");
  });
});

describe("tokens and settings", () => {
  const count = async (who: { account: string; proof: string }): Promise<number> =>
    Number((await hub.db.as(who, (tx) => tx.query("SELECT count(*) AS n FROM hub.sessions")))[0]?.n);

  async function tokenOf(account: string, columns: Record<string, unknown>) {
    const who = toCredentials(newToken(account));
    const names = Object.keys(columns);
    await people.ask(
      `INSERT INTO hub.tokens (account_id, token_id, hash, scopes${names.map((name) => `, ${name}`).join("")})
       VALUES ($1, $2, $3, '{push,read}'${names.map((_, at) => `, $${at + 4}`).join("")})`,
      [account, randomUUID(), storedHash(who), ...Object.values(columns)],
    );
    return who;
  }

  it("are worth nothing once they have expired or were revoked", async () => {
    const past = new Date(Date.now() - 1000);
    expect(await count(await tokenOf(victim.account, {}))).toBe(1);
    expect(await count(await tokenOf(victim.account, { expires_at: past }))).toBe(0);
    expect(await count(await tokenOf(victim.account, { revoked_at: past }))).toBe(0);
  });

  it("of an account that was revoked are worth nothing", async () => {
    const gone = await people.add("gone");
    await people.ask("UPDATE hub.accounts SET revoked_at = now() WHERE account_id = $1", [gone.account]);
    expect(await hub.db.as(gone, (tx) => tx.query("SELECT hub.me() AS me"))).toEqual([{ me: null }]);
  });

  it("of a browser make no other", async () => {
    const web = await tokenOf(attacker.account, { kind: "web" });
    const made = await hub.db.as(web, (tx) =>
      tx.query("SELECT hub.web_token($1, $2) AS until", [randomUUID(), storedHash(web)]),
    );
    expect(made).toEqual([{ until: null }]);
  });

  it("end with their transaction, on every connection of the pool", async () => {
    await Promise.all(
      Array.from({ length: 30 }, () => hub.db.as(victim, (tx) => tx.query("SELECT pg_sleep(0.01)"))),
    );
    const left = await Promise.all(
      Array.from({ length: 30 }, () =>
        hub.db.open((tx) =>
          tx.query(
            "SELECT hub.me() AS me, current_setting('rethread.proof', true) AS proof, (SELECT count(*)::int FROM hub.sessions) AS n",
          ),
        ),
      ),
    );
    expect(left.flat().filter(({ me, proof, n }) => me !== null || (proof ?? "") !== "" || n !== 0)).toEqual(
      [],
    );
  });

  it("that fail a transaction leave nothing behind either", async () => {
    await hub.db.as(victim, (tx) => tx.query("SELECT 1/0")).catch(() => undefined);
    const left = await hub.db.open((tx) => tx.query("SELECT hub.me() AS me"));
    expect(left).toEqual([{ me: null }]);
  });

  it("with the scope push alone see nothing of teams", async () => {
    const pusher = await people.add("pusher", ["push"]);
    const shared = await people.team("all of us", victim, pusher);
    await people.ask("UPDATE hub.sessions SET team_id = $1 WHERE account_id = $2", [shared, victim.account]);
    expect(await count(pusher)).toBe(0);
    const reader = await people.add("reader", ["read"]);
    await people.ask("INSERT INTO hub.members (account_id, team_id) VALUES ($1, $2)", [
      reader.account,
      shared,
    ]);
    expect(await count(reader)).toBe(1);
    // Who has left a team, and what is no longer shared.
    await people.ask("DELETE FROM hub.members WHERE account_id = $1", [reader.account]);
    expect(await count(reader)).toBe(0);
    await people.ask("UPDATE hub.sessions SET team_id = NULL WHERE account_id = $1", [victim.account]);
  });
});
