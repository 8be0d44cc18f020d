/** One real PostgreSQL server for all tests of a worker, and a database of its own, made from a template, for each hub. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { type HubDatabase, type HubPlace, openHubDatabase } from "../../src/hub/database/connect.ts";
import { migrateHub } from "../../src/hub/database/migrate.ts";
import { type PostgresServer, startPostgres } from "../../src/platform/process/postgres-server.ts";
import { adminOf, copyPrepared, FAST, PASSWORD, reachableFolder, SECRET, TEMPLATE } from "./prepared.ts";

let cluster: Promise<PostgresServer> | undefined;

function startCluster(): Promise<PostgresServer> {
  return startPostgres({
    folder: join(reachableFolder("cluster-"), "postgres"),
    password: PASSWORD,
    settings: FAST,
    fill: copyPrepared,
  });
}

export interface TestHub {
  readonly place: HubPlace;
  readonly db: HubDatabase;
  /** Logs in as the superuser, whom nothing holds back. */
  readonly admin: pg.ClientConfig;
  close(): Promise<void>;
}

/**
 * Another server for these tests: the addresses of a Citus cluster as its superuser, with a comma between them; that of the
 * coordinator is the first. Without it they run on one plain server, and nothing is shown about Citus.
 */
export const CITUS = process.env.RETHREAD_TEST_CITUS?.split(",").map((url) => new URL(url));

const configOf = (url: URL, database: string): pg.ClientConfig => ({
  host: url.hostname,
  port: Number(url.port),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database,
});

/** A database of that name on every node, each of which knows the others. */
async function newCitusHub(urls: readonly URL[], database: string): Promise<TestHub> {
  const [coordinator] = urls;
  if (!coordinator) throw new Error("no coordinator");
  for (const url of urls) {
    await asking(configOf(url, "postgres"), [
      "SET citus.enable_create_database_propagation = off",
      `CREATE DATABASE ${database}`,
    ]);
    const login = `'${decodeURIComponent(url.username)}', 'password=${decodeURIComponent(url.password)}'`;
    await asking(configOf(url, database), [
      "CREATE EXTENSION citus",
      `INSERT INTO pg_dist_authinfo (nodeid, rolename, authinfo) VALUES (0, ${login})`,
    ]);
  }
  const admin = configOf(coordinator, database);
  await asking(admin, [
    `SELECT citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`,
    ...urls.slice(1).map((url) => `SELECT citus_add_node('${url.hostname}', ${url.port})`),
  ]);
  await migrateHub(admin, { secret: SECRET });
  const place = { host: coordinator.hostname, port: Number(coordinator.port), database, secret: SECRET };
  const db = openHubDatabase(place);
  return { place, db, admin, close: () => db.close() };
}

async function asking(config: pg.ClientConfig, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A hub without anybody in it. The server ends with the process. */
export async function newHub(): Promise<TestHub> {
  if (CITUS) return newCitusHub(CITUS, `hub_${randomBytes(6).toString("hex")}`);
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
