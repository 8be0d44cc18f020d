/**
 * What only Citus does to a hub. These tests need a cluster (`RETHREAD_TEST_CITUS`, see cluster.ts) and are skipped without
 * one; skipped, they show nothing. All other tests of a hub run there as well when it is named.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientConfig } from "../../src/hub/database/connect.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { searchHub } from "../../src/hub/query/search/search.ts";
import { listHubSessions } from "../../src/hub/query/sessions.ts";
import { CITUS, newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { MACHINE, pushOf } from "./pushing.ts";

const ID = hubSessionId("copilot-cli", "one", MACHINE.id);

describe.skipIf(!CITUS)("a hub on Citus", () => {
  let hub: TestHub;
  let people: People;
  let robin: Person;
  let mate: Person;
  let stranger: Person;

  beforeAll(async () => {
    hub = await newHub();
    people = await peopleOf(hub);
    robin = await people.add("robin");
    mate = await people.add("mate");
    stranger = await people.add("stranger");
    const team = await people.team("crew", robin, mate);
    for (const [at, who] of [robin, mate, stranger].entries()) {
      const text =
        line("session.start", { sessionId: "one", version: 1 }) +
        line("user.message", { content: `the axolotl of ${who.name}` });
      if (at < 2)
        await people.ask(
          "INSERT INTO hub.shares (account_id, share_id, team_id, session_id) VALUES ($1, $2, $3, $4)",
          [who.account, randomUUID(), team, ID],
        );
      const { header, bodies } = pushOf([{ path: "session-state/one/events.jsonl", texts: [text] }]);
      expect(await receivePush(hub.db, who, header, bodies)).toMatchObject({ backfill: "queued" });
      expect(await deriveSession(hub.db, { account: who.account, session: ID })).toBe("derived");
    }
  });
  afterAll(async () => {
    await people?.close();
    await hub?.close();
  });

  const line = (type: string, data: object): string =>
    `${JSON.stringify({ type, data, id: type, timestamp: "2026-11-15T12:00:00.000Z", parentId: null })}\n`;

  it("distributes every table with an account but the directory and the audit, side by side", async () => {
    const rows = await people.ask(
      `SELECT c.relname AS name, d.partmethod AS method, d.colocationid AS beside, c.relrowsecurity AS secured
         FROM pg_class c LEFT JOIN pg_dist_partition d ON d.logicalrelid = c.oid
        WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind = 'r'`,
    );
    const named = (method: unknown) => rows.filter((row) => row.method === method).map(({ name }) => name);
    expect(named(null).sort()).toEqual(["audit", "migrations"]);
    expect(named("n").sort()).toEqual(["accounts", "members", "teams", "tokens"]);
    expect(named("h").length).toBeGreaterThan(18);
    expect(new Set(rows.filter(({ method }) => method === "h").map(({ beside }) => beside)).size).toBe(1);
    expect(rows.filter(({ name, secured }) => name !== "migrations" && !secured)).toEqual([]);
  });

  it("has the same policies on every shard, none of which is restrictive or could not be one on Citus", async () => {
    const POLICIES = (table: string): string =>
      `SELECT coalesce(string_agg(concat_ws(' ', polname, polcmd, polpermissive, polroles::regrole[]::text,
           pg_get_expr(polqual, polrelid), '/', pg_get_expr(polwithcheck, polrelid)), E'\\n' ORDER BY polname), '')
         FROM pg_policy WHERE polrelid = '${table}'::regclass`;
    const tables = await people.ask("SELECT logicalrelid::regclass::text AS name FROM pg_dist_partition");
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const [own] = await people.ask(`SELECT (${POLICIES(String(name))}) AS policies`);
      const shards = await people.ask("SELECT success, result FROM run_command_on_shards($1, $2)", [
        name,
        POLICIES("%s"),
      ]);
      expect(shards.length).toBeGreaterThan(0);
      for (const shard of shards) expect(shard).toEqual({ success: true, result: own?.policies });
      expect(own?.policies).not.toMatch(/SELECT|^\S+ \S f /m);
    }
  });

  const planOf = async (who: Person, sql: string): Promise<string> => {
    const rows = await hub.db.as(who, (tx) => tx.query(`EXPLAIN (COSTS OFF) ${sql}`));
    return rows.map((row) => Object.values(row)[0]).join("\n");
  };

  it("asks one shard about one account, and its policies answer before any row is read", async () => {
    const one = await planOf(robin, `SELECT * FROM hub.turns WHERE account_id = '${robin.account}'`);
    expect(one).toContain("Task Count: 1\n");
    const all = await planOf(robin, "SELECT * FROM hub.turns");
    expect(Number(/Task Count: (\d+)/.exec(all)?.[1])).toBeGreaterThan(1);
    expect(all).toContain(`account_id IS DISTINCT FROM '${robin.account}'::uuid`);
    expect(all).not.toContain("hub.");
  });

  it("shows on every way what the team shares, and nothing of others", async () => {
    const now = new Date("2026-11-16T12:00:00Z");
    const seen = async (who: Person) => {
      const { sessions } = await listHubSessions(hub.db, who, {});
      const { hits } = await searchHub(hub.db, who, { text: "axolotl", filter: {}, limit: 9, now });
      expect(sessions.map(({ machine }) => machine)).toEqual(sessions.map(() => MACHINE.name));
      return [sessions, hits.map(({ session }) => session)].map((all) =>
        [...new Set(all.map(({ person }) => person))].toSorted(),
      );
    };
    expect(await seen(robin)).toEqual(Array(2).fill(["mate", "robin"]));
    expect(await seen(stranger)).toEqual(Array(2).fill(["stranger"]));
  });

  async function within<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(config);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  const begin = async (client: pg.Client, { account, proof }: Person): Promise<void> => {
    await client.query("BEGIN");
    await client.query(`SET LOCAL rethread.account = '${account}'`);
    await client.query(`SET LOCAL rethread.proof = '${proof}'`);
  };
  const accountsIn = (rows: readonly { account_id?: string }[]): unknown[] => [
    ...new Set(rows.map((row) => row.account_id)),
  ];

  it("shows who asks a prepared statement second nothing of who asked it first", () =>
    within(clientConfig(hub.place, "app"), async (client) => {
      for (const mode of ["force_custom_plan", "force_generic_plan"])
        for (const sql of ["SELECT account_id FROM hub.sessions", "SELECT account_id FROM hub.accounts"]) {
          const name = `${mode} ${sql}`;
          for (const who of [robin, stranger, robin, stranger]) {
            await begin(client, who);
            await client.query(`SET LOCAL plan_cache_mode = ${mode}`);
            const { rows } = await client.query({ name, text: sql });
            expect(accountsIn(rows).includes(stranger.account)).toBe(who === stranger);
            expect(accountsIn(rows).includes(robin.account)).toBe(who === robin);
            await client.query("COMMIT");
          }
        }
    }));

  it("is not talked into another account in the middle of a statement", () =>
    within(clientConfig(hub.place, "app"), async (client) => {
      await begin(client, stranger);
      const { rows } = await client.query(
        `SELECT account_id FROM hub.sessions WHERE set_config('rethread.account', '${robin.account}', true) <> ''
           AND set_config('rethread.proof', 'x', true) <> ''`,
      );
      expect(accountsIn(rows)).toEqual([stranger.account]);
    }));

  it("shows on a node itself, by the names of shards, what it shows here", async () => {
    const shards = await people.ask(
      `SELECT shard_name AS name, nodeport AS port, citus_table_type AS type FROM citus_shards
        WHERE table_name::text IN ('hub.sessions', 'hub.tokens', 'hub.raw_files')`,
    );
    expect(shards.length).toBeGreaterThan(5);
    const found: unknown[] = [];
    for (const { name, port } of shards)
      await within({ ...clientConfig(hub.place, "app"), port: Number(port) }, async (client) => {
        await begin(client, stranger);
        await client.query("SET LOCAL citus.override_table_visibility = off");
        found.push(...accountsIn((await client.query(`SELECT account_id FROM ${name}`)).rows));
      });
    expect([...new Set(found)]).toEqual([stranger.account]);
  });

  it("tells no role of the server what is under way for others", () =>
    within(clientConfig(hub.place, "app"), async (client) => {
      await within(clientConfig(hub.place, "app"), async (other) => {
        await begin(other, robin);
        await other.query("SELECT count(*) FROM hub.sessions");
        for (const view of ["pg_stat_activity", "citus_stat_activity", "citus_dist_stat_activity"]) {
          const { rows } = await client.query(`SELECT a::text AS text FROM ${view} a`);
          expect(rows.filter(({ text }) => String(text).includes(robin.proof))).toEqual([]);
        }
      });
      for (const sql of [
        "SELECT * FROM pg_dist_authinfo",
        "SELECT authinfo FROM pg_catalog.pg_dist_authinfo",
      ])
        await expect(client.query(sql)).rejects.toThrow(/permission denied/);
    }));
});
