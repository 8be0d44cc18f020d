/** The files of a PostgreSQL server that already holds an empty hub: made by the first test that asks, copied by all others. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { onOneServer } from "../../src/hub/database/layout.ts";
import { migrateHub } from "../../src/hub/database/migrate.ts";
import { type PostgresServer, startPostgres } from "../../src/platform/process/postgres-server.ts";

export const PASSWORD = "superuser of the tests";
export const SECRET = "the secret of all the tests";
/** The database with a hub in which nobody is. */
export const TEMPLATE = "hub_template";

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

export const adminOf = ({ host, port, user }: PostgresServer, database: string): pg.ClientConfig => ({
  host,
  port,
  user,
  database,
  password: PASSWORD,
});

const LOOK_AGAIN_MS = 20;
/** In the folder of this run of the tests, where every worker looks. */
const MADE = join(tmpdir(), "prepared-postgres");
const FILES = join(MADE, "postgres");
const OUTCOME = join(MADE, "outcome");
let ready: Promise<void> | undefined;

async function prepare(): Promise<void> {
  try {
    mkdirSync(MADE);
    const failure = await make().then(() => "", String);
    writeFileSync(`${OUTCOME}.new`, failure);
    renameSync(`${OUTCOME}.new`, OUTCOME);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    while (!existsSync(OUTCOME)) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  const failure = readFileSync(OUTCOME, "utf8");
  if (failure) throw new Error(failure);
}

async function make(): Promise<void> {
  for (const each of [tmpdir(), MADE]) chmodSync(each, 0o711);
  const server = await startPostgres({ folder: FILES, password: PASSWORD, settings: FAST });
  try {
    const admin = new pg.Client(adminOf(server, "postgres"));
    await admin.connect();
    await admin.query(`CREATE DATABASE ${TEMPLATE}`);
    await admin.end();
    await migrateHub(adminOf(server, TEMPLATE), { secret: SECRET, layout: onOneServer(2) });
  } finally {
    await server.stop();
  }
}

/** For `PostgresOptions.fill`: a server with the database `postgres`, which is empty, and the template. */
export async function copyPrepared(cluster: {
  readonly folder: string;
  own(path: string): void;
}): Promise<void> {
  ready ??= prepare();
  await ready;
  cpSync(FILES, cluster.folder, { recursive: true });
  for (const name of readdirSync(FILES, { recursive: true })) cluster.own(join(cluster.folder, String(name)));
}
