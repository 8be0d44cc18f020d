/** A migration may be cut off anywhere: the next start completes it, and nothing is there twice or half. */
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { onOneServer } from "../../src/hub/database/layout.ts";
import { migrateHub } from "../../src/hub/database/migrate.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { SECRET } from "./prepared.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await newHub();
});
afterAll(() => hub.close());
const ended: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ended) await end();
});

async function connect(place: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(place);
  await client.connect();
  ended.push(() => client.end());
  return client;
}

/** All that a schema consists of, and who may do what with it. */
async function shapeOf(place: pg.ClientConfig): Promise<unknown[]> {
  const client = await connect(place);
  const OURS = "n.nspname IN ('hub', 'store', 'hub_queue')";
  const { rows } = await client.query(
    `SELECT n.nspname, c.relkind, c.relname, c.relacl::text, c.relrowsecurity, CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END AS body
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${OURS}
     UNION ALL
     SELECT n.nspname, 'f', p.oid::regprocedure::text, p.proacl::text, p.prosecdef, md5(p.prosrc)
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${OURS}
     UNION ALL
     SELECT n.nspname, 'a', c.relname || '.' || a.attname, a.attacl::text, a.attnotnull, format_type(a.atttypid, a.atttypmod)
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE ${OURS} AND a.attnum > 0
     UNION ALL
     SELECT n.nspname, 'p', n.tablename || '.' || n.policyname, n.roles::text, n.permissive = 'PERMISSIVE', n.cmd || coalesce(n.qual, '') || coalesce(n.with_check, '')
       FROM (SELECT schemaname AS nspname, * FROM pg_policies) n WHERE ${OURS}
     UNION ALL
     SELECT 'hub', 'm', m.id, '', true, m.partitions::text FROM hub.migrations m
     ORDER BY 1, 2, 3, 4, 5, 6`,
  );
  // The queue names a table after the day on which it was made.
  return JSON.parse(JSON.stringify(rows).replaceAll(/(queue_stats_)\d{8}/g, "$1day"));
}

/** The connection is cut behind so many statements: with the last one answered, or under way. */
function cutBehind(database: string, statements: number, isUnderWay: boolean): void {
  let left = statements;
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...asked: never[]) {
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    // Other files of this worker have hubs of their own.
    if (this.database === database) left--;
    const isLast = left === 0 && this.database === database;
    if (isLast && !isUnderWay) stream.destroy();
    const answer = (query as (...all: never[]) => unknown).apply(this, asked);
    if (isLast && isUnderWay) setImmediate(() => stream.destroy());
    return answer;
  } as never);
}

it("is completed by the next start", async () => {
  const database = `hub_${randomBytes(6).toString("hex")}`;
  const maker = await connect({ ...hub.admin, database: "postgres" });
  await maker.query(`CREATE DATABASE ${database}`);
  const place = { ...hub.admin, database };
  const looking = await connect(place);
  const there = async (): Promise<unknown[]> => {
    const { rows } = await looking.query("SELECT to_regclass('hub.migrations') AS name");
    return rows[0].name ? (await looking.query("SELECT id FROM hub.migrations")).rows : [];
  };
  const known: number[] = [];
  let statements = 1;
  for (;;) {
    cutBehind(database, statements, known.length % 2 === 1);
    const migrated = await migrateHub(place, { secret: SECRET, layout: onOneServer(2) }).catch(
      (error: unknown) => error,
    );
    vi.restoreAllMocks();
    if (!(migrated instanceof Error)) break;
    expect(migrated).toMatchObject({ code: "database-unavailable" });
    const before = known.at(-1);
    known.push((await there()).length);
    // The first of them is the largest by far.
    if (before === 0 && known.at(-1) !== 0) statements = 20;
    else if (known.at(-1) === before) statements = Math.ceil(statements * 1.5);
  }
  // Some ended before anything was there, some between two migrations or within one, some behind the last.
  expect(known).toContain(0);
  expect(new Set(known).size).toBeGreaterThan(3);
  expect(await shapeOf(place)).toEqual(await shapeOf(hub.admin));
});
