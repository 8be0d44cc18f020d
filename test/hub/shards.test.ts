/** A hub over three nodes: rows go to the node of their account, only that node is asked, and the others outlive it. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { teamStandup } from "../../src/app/hub/standup.ts";
import { type HubDatabase, openHubDatabase } from "../../src/hub/database/connect.ts";
import { newToken, storedHash, toCredentials } from "../../src/hub/database/credentials.ts";
import { migrateSharded } from "../../src/hub/database/shards.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import type { HubFilter } from "../../src/hub/query/filter.ts";
import { searchHub } from "../../src/hub/query/search/search.ts";
import { listHubSessions } from "../../src/hub/query/sessions.ts";
import { createSqlRunner } from "../../src/hub/query/sql.ts";
import { hubStats, hubStatsBy } from "../../src/hub/query/stats/stats.ts";
import { share } from "../../src/hub/sharing/shares.ts";
import { type PostgresServer, startPostgres } from "../../src/platform/process/postgres-server.ts";
import { adminOf, copyPrepared, FAST, PASSWORD, reachableFolder, SECRET } from "./prepared.ts";
import { MACHINE, pushOf } from "./pushing.ts";

const NODES = ["node_a", "node_b", "node_c"];
const PARTITIONS = 6;
const servers = new Map<string, PostgresServer>();
let db: HubDatabase;
let admin: pg.Client;

/** At the same place again, when it is started once more. */
const folders = new Map<string, string>();
const start = async (name: string): Promise<PostgresServer> => {
  const folder = folders.get(name) ?? reachableFolder(`${name}-`);
  folders.set(name, folder);
  return startPostgres({
    folder: join(folder, "postgres"),
    sockets: join(folder, "s"),
    password: PASSWORD,
    // One of them is killed, and what it said it had kept must be there.
    settings: { ...FAST, synchronous_commit: "on" },
    fill: copyPrepared,
  });
};

beforeAll(async () => {
  const [head, ...nodes] = await Promise.all(["head", ...NODES].map(start));
  if (!head) throw new Error("no head");
  servers.set("head", head);
  NODES.forEach((name, at) => {
    const node = nodes[at];
    if (node) servers.set(name, node);
  });
  const placed = NODES.map((name, at) => ({ name, admin: adminOf(nodes[at] ?? head, "postgres") }));
  await migrateSharded(adminOf(head, "postgres"), placed, { secret: SECRET, partitions: PARTITIONS });
  db = openHubDatabase({ host: head.host, port: head.port, database: "postgres", secret: SECRET });
  admin = new pg.Client(adminOf(head, "postgres"));
  await admin.connect();
  await admin.query("SET ROLE rethread_owner");
});
afterAll(async () => {
  await admin.end();
  await db.close();
  await Promise.all([...servers.values()].map((server) => server.stop()));
});

type Member = Awaited<ReturnType<typeof newAccount>>;

async function newAccount(name: string) {
  const account = randomUUID();
  const token = newToken(account);
  await admin.query("INSERT INTO hub.accounts (account_id, name) VALUES ($1, $2)", [account, name]);
  await admin.query(
    "INSERT INTO hub.tokens (account_id, token_id, hash, scopes) VALUES ($1, $2, $3, '{push,read}')",
    [account, randomUUID(), storedHash(toCredentials(token))],
  );
  const { rows } = await admin.query<{ partition: number }>(
    "SELECT p AS partition FROM generate_series(0, $2 - 1) p WHERE satisfies_hash_partition('hub.sessions'::regclass, $2, p, $1::uuid)",
    [account, PARTITIONS],
  );
  return { account, who: toCredentials(token), node: NODES[Number(rows[0]?.partition) % NODES.length] ?? "" };
}

const addSession = (who: ReturnType<typeof toCredentials>, id: string) =>
  db.as(who, (tx) =>
    tx.change(
      "INSERT INTO hub.sessions (account_id, id, machine_id, source, vendor_id, title) VALUES ($1, $2, $3, 'copilot-cli', $2, 'a title') ON CONFLICT DO NOTHING",
      [who.account, id, randomUUID()],
    ),
  );

it("keeps each account on one node, asks only that one, and shows nobody another's rows", async () => {
  const accounts = [...(await oneOnEach()).values(), ...(await oneOnEach()).values()];
  for (const { who } of accounts) expect(await addSession(who, "one")).toBe(1);
  for (const { who } of accounts.slice(0, 3)) {
    const seen = await db.as(who, (tx) => tx.query("SELECT account_id FROM hub.sessions"));
    expect(seen).toEqual([{ account_id: who.account }]);
    const plan = await db.as(who, (tx) =>
      tx.query("EXPLAIN (COSTS OFF) SELECT * FROM hub.sessions WHERE account_id = $1 AND id = $2", [
        who.account,
        "one",
      ]),
    );
    const text = plan.map((row) => Object.values(row)[0]).join("\n");
    expect(text.match(/Foreign Scan/g)).toHaveLength(1);
  }
});

it("refuses rows in another's name, also where PostgreSQL itself leaves new rows of foreign tables unchecked", async () => {
  const [first, second] = [await newAccount("first"), await newAccount("second")];
  await addSession(first.who, "own");
  await addSession(second.who, "other");
  const forge = (sql: string) => db.as(first.who, (tx) => tx.change(sql, [second.account]));
  await expect(
    forge(
      `INSERT INTO hub.sessions (account_id, id, machine_id, source, vendor_id) VALUES ($1, 'x', '${randomUUID()}', 's', 'x')`,
    ),
  ).rejects.toThrow(/row-level security/);
  await expect(forge("UPDATE hub.sessions SET account_id = $1 WHERE id = 'own'")).rejects.toThrow(
    /row-level security|cannot/,
  );
  expect(await forge("UPDATE hub.sessions SET title = 'mine' WHERE account_id = $1")).toBe(0);
  expect(await forge("DELETE FROM hub.sessions WHERE account_id = $1")).toBe(0);
});

it("does not store twice what a node has already", async () => {
  const { who } = await newAccount("again");
  expect([await addSession(who, "same"), await addSession(who, "same")]).toEqual([1, 0]);
});

const EVENT = (type: string, data: object, at: number): string =>
  `${JSON.stringify({ type, data, id: `e${at}`, timestamp: `2026-11-15T12:00:0${at}.000Z`, parentId: null })}\n`;

/** A session with one turn, shared with a team where one is named. */
async function pushSession({ account, who }: Member, id: string, text: string, team?: string): Promise<void> {
  const log =
    EVENT("session.start", { sessionId: id, version: 1, producer: "copilot-agent" }, 0) +
    EVENT("user.message", { content: text }, 1);
  if (team !== undefined)
    await admin.query(
      "INSERT INTO hub.shares (account_id, share_id, team_id, session_id) VALUES ($1, $2, $3, $4)",
      [account, randomUUID(), team, hubSessionId("copilot-cli", id, MACHINE.id)],
    );
  const { header, bodies } = pushOf([{ path: `session-state/${id}/events.jsonl`, texts: [log] }], { id });
  await receivePush(db, who, header, bodies);
  await deriveSession(db, { account, session: hubSessionId("copilot-cli", id, MACHINE.id) });
}

const found = async ({ who }: Member, text: string): Promise<string[]> => {
  const asked = { text, filter: {}, limit: 20, now: new Date("2026-11-16T12:00:00Z") };
  const ids = new Set((await searchHub(db, who, asked)).hits.map(({ session }) => session.id));
  return [...ids].toSorted();
};

/** One account on each node. */
async function oneOnEach(): Promise<Map<string, Member>> {
  const byNode = new Map<string, Member>();
  while (byNode.size < NODES.length) {
    const made = await newAccount("somebody");
    byNode.set(made.node, made);
  }
  return byNode;
}

async function newTeam(...members: readonly Member[]): Promise<string> {
  const team = randomUUID();
  for (const { account } of members)
    await admin.query("INSERT INTO hub.members (account_id, team_id) VALUES ($1, $2)", [account, team]);
  return team;
}

it("derives, shares and finds what lies on another node, for the team alone", async () => {
  const [owner, mate, stranger] = [...(await oneOnEach()).values()];
  if (!owner || !mate || !stranger) throw new Error("too few");
  const team = randomUUID();
  await admin.query("INSERT INTO hub.teams (account_id, team_id, name) VALUES ($1, $2, 'crew')", [
    owner.account,
    team,
  ]);
  for (const { account } of [owner, mate])
    await admin.query("INSERT INTO hub.members (account_id, team_id) VALUES ($1, $2)", [account, team]);
  const line = (type: string, data: object): string =>
    `${JSON.stringify({ type, data, id: type, timestamp: "2026-11-15T12:00:00.000Z", parentId: null })}\n`;
  const text =
    line("session.start", { sessionId: "one", version: 1 }) +
    line("user.message", { content: "where is the axolotl" });
  const { header, bodies } = pushOf([{ path: "session-state/one/events.jsonl", texts: [text] }]);
  await receivePush(db, owner.who, header, bodies);
  const session = hubSessionId("copilot-cli", "one", MACHINE.id);
  expect(await deriveSession(db, { account: owner.account, session })).toBe("derived");
  const finds = async ({ who }: typeof owner): Promise<number> =>
    (await searchHub(db, who, { text: "axolotl", filter: {}, limit: 5, now: new Date() })).hits.length;
  expect([await finds(owner), await finds(mate), await finds(stranger)]).toEqual([2, 0, 0]);
  await share(db, owner.who, { team: "crew", session });
  expect([await finds(owner), await finds(mate), await finds(stranger)]).toEqual([2, 2, 0]);
  const asked = await db.as(mate.who, (tx) =>
    tx.query("SELECT title FROM hub.sessions WHERE id = $1", [session]),
  );
  expect(asked).toHaveLength(1);
  const plant = db.as(stranger.who, (tx) =>
    tx.change(
      "INSERT INTO hub.sessions (account_id, id, machine_id, source, vendor_id, team_id) VALUES ($1, 'spam', $2, 's', 'x', $3)",
      [stranger.account, randomUUID(), team],
    ),
  );
  await expect(plant).rejects.toThrow(/row-level security/);
});

it("searches the nodes of a team, and does without those of others", async () => {
  const [a, b, c] = [...(await oneOnEach()).values()];
  const [other] = [...(await oneOnEach()).values()].filter(({ node }) => node === a?.node);
  if (!a || !b || !c || !other) throw new Error("no accounts");
  const near = await newTeam(a, other);
  const wide = await newTeam(b, c);
  await pushSession(a, "first", "repair the flux capacitor", near);
  await pushSession(b, "second", "oil the flux capacitor", wide);
  await pushSession(c, "third", "sell the flux capacitor", wide);
  expect(await found(other, "capacitor")).toEqual(["first"]);
  expect(await found(b, "capacitor")).toEqual(["second", "third"]);

  await servers.get(c.node)?.kill();
  expect(await found(other, "capacitor")).toEqual(["first"]);
  expect(await found(b, "capacitor")).toEqual(["second"]);
  servers.set(c.node, await start(c.node));
  expect(await found(b, "capacitor")).toEqual(["second", "third"]);
});

it("goes on for the accounts of the other nodes when one is killed, and for all when it is back", async () => {
  const byNode = await oneOnEach();
  const all = [...byNode.values()];
  for (const { who } of all) await addSession(who, "before");
  const lost = servers.get("node_b");
  if (!lost) throw new Error("no such node");
  await lost.kill();
  const settled = await Promise.allSettled(all.map(({ who }) => addSession(who, "meanwhile")));
  const outcome = Object.fromEntries(all.map(({ node }, at) => [node, settled[at]?.status]));
  expect(outcome).toEqual({ node_a: "fulfilled", node_b: "rejected", node_c: "fulfilled" });
  servers.set("node_b", await start("node_b"));
  for (const { who } of all) expect(await addSession(who, "after")).toBe(1);
  const kept = await db.as(byNode.get("node_b")?.who ?? { account: "", proof: "" }, (tx) =>
    tx.query("SELECT id FROM hub.sessions ORDER BY id"),
  );
  expect(kept).toEqual([{ id: "after" }, { id: "before" }]);
});

it("lists and counts what can be reached while a node is down, and names whose sessions are missing", async () => {
  const [a, b, c] = [...(await oneOnEach()).values()];
  if (!a || !b || !c) throw new Error("no accounts");
  const team = await newTeam(a, b, c);
  for (const [at, each] of [a, b, c].entries()) {
    await admin.query("UPDATE hub.accounts SET name = $2 WHERE account_id = $1", [
      each.account,
      `of ${each.node}`,
    ]);
    await pushSession(each, `reach-${at}`, "one turn", team);
  }
  const seen = async (filter: HubFilter = {}) => {
    const list = await listHubSessions(db, a.who, filter, { facets: true });
    const stats = await hubStats(db, a.who, filter);
    const by = await hubStatsBy(db, a.who, filter, "person");
    expect([stats.totals.sessions, by.totals.sessions, list.facets?.people.length]).toEqual(
      Array(3).fill(list.total),
    );
    expect([stats.unreachable, by.unreachable]).toEqual([list.unreachable, list.unreachable]);
    expect(list.sessions.map(({ machine }) => machine)).toEqual(Array(list.total).fill(MACHINE.name));
    const { hits, unreachable } = await searchHub(db, a.who, {
      text: "turn",
      filter,
      limit: 20,
      now: new Date("2026-11-16T12:00:00Z"),
    });
    expect([...new Set(hits.map(({ session }) => session.person))].length).toBe(list.total);
    expect(unreachable).toEqual(list.unreachable);
    const day = { from: new Date("2026-11-15T00:00:00Z"), to: new Date("2026-11-16T00:00:00Z") };
    const standup = await teamStandup(db, a.who, { ...filter, ...day }, () => new Date(day.to));
    expect([standup.sessionCount, standup.unreachable]).toEqual([list.total, list.unreachable]);
    return { people: list.sessions.map(({ person }) => person).toSorted(), missing: list.unreachable };
  };
  const names = (...of: Member[]): string[] => of.map(({ node }) => `of ${node}`).toSorted();
  expect(await seen()).toEqual({ people: names(a, b, c), missing: undefined });

  await servers.get(c.node)?.kill();
  const partial = { people: names(a, b), missing: names(c) };
  expect(await seen()).toEqual(partial);
  // Each of these asks further tables, or reads some turns.
  expect(await seen({ since: "2026-11-15T06:00:00.000Z" })).toEqual(partial);
  expect((await seen({ tool: "bash" })).missing).toEqual(names(c));
  expect((await seen({ repository: "acme/shop" })).missing).toEqual(names(c));
  const query = createSqlRunner(db).run(a.who, { sql: "SELECT count(*) FROM sessions" });
  await expect(query).rejects.toMatchObject({
    code: "database-unavailable",
    message: `The server ${c.node}, which holds a part of the hub's sessions, does not answer`,
  });
  servers.set(c.node, await start(c.node));
  expect(await seen()).toEqual({ people: names(a, b, c), missing: undefined });
});

it("fills the counts of sessions that older versions have stored, on each node", async () => {
  const rows = async () =>
    (await admin.query("SELECT * FROM hub.daily_stats ORDER BY account_id, session_id, day, owner")).rows;
  const before = await rows();
  const head = servers.get("head");
  if (!head) throw new Error("no head");
  const placed = NODES.map((name) => ({ name, admin: adminOf(servers.get(name) ?? head, "postgres") }));
  for (const place of [adminOf(head, "postgres"), ...placed.map((node) => node.admin)]) {
    const client = new pg.Client(place);
    await client.connect();
    const tables = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'hub'::regnamespace
          AND relname ~ '^session_files(_p\\d+)?$' AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    for (const { name } of tables.rows) await client.query(`ALTER TABLE hub.${name} DROP COLUMN at`);
    await client.query("DELETE FROM hub.migrations WHERE id = '0007-statistics'");
    await client.end();
  }
  await migrateSharded(adminOf(head, "postgres"), placed, { secret: SECRET, partitions: PARTITIONS });
  expect(await rows()).toEqual(before);
  expect(before.length).toBeGreaterThan(5);
});
