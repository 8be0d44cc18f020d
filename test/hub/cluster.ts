/** One real PostgreSQL server for all tests of a worker, and a database of its own, made from a template, for each hub. */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type HubDatabase, type HubPlace, openHubDatabase } from "../../src/hub/database/connect.ts";
import { onOneServer } from "../../src/hub/database/layout.ts";
import { migrateHub } from "../../src/hub/database/migrate.ts";
import { type PostgresServer, startPostgres } from "../../src/platform/process/postgres-server.ts";

export const PASSWORD = "superuser of the tests";
const TEMPLATE = "hub_template";
export const SECRET = "the secret of all the tests";

/** Nothing is kept beyond the tests, so nothing has to reach the disk. */
export const FAST = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_connections: "200",
};

/** PostgreSQL does not run as root, and its own user must be able to reach its files. */
export function reachableFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  for (const each of [tmpdir(), folder]) chmodSync(each, 0o711);
  return folder;
}

let cluster: Promise<PostgresServer> | undefined;

async function startCluster(): Promise<PostgresServer> {
  const server = await startPostgres({
    folder: join(reachableFolder("cluster-"), "postgres"),
    password: PASSWORD,
    settings: FAST,
  });
  const admin = new pg.Client(adminOf(server, "postgres"));
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  await admin.end();
  await migrateHub(adminOf(server, TEMPLATE), { secret: SECRET, layout: onOneServer(4) });
  return server;
}

export const adminOf = ({ host, port, user }: PostgresServer, database: string): pg.ClientConfig => ({
  host,
  port,
  user,
  database,
  password: PASSWORD,
});

export interface TestHub {
  readonly place: HubPlace;
  readonly db: HubDatabase;
  /** Logs in as the superuser, whom nothing holds back. */
  readonly admin: pg.ClientConfig;
  close(): Promise<void>;
}

/** A hub without anybody in it. The server ends with the process. */
export async function newHub(): Promise<TestHub> {
  cluster ??= startCluster();
  const server = await cluster;
  const database = `hub_${randomBytes(6).toString("hex")}`;
  const maker = new pg.Client(adminOf(server, "postgres"));
  await maker.connect();
  await maker.query(`CREATE DATABASE ${database} TEMPLATE ${TEMPLATE}`);
  await maker.end();
  const place = { host: server.host, port: server.port, database, secret: SECRET };
  const db = openHubDatabase(place);
  return {
    place,
    db,
    admin: adminOf(server, database),
    async close() {
      await db.close();
    },
  };
}
