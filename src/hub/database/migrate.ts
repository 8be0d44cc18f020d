/** Brings the hub's database to the schema of this version: roles, then each migration that is not there yet. */
import type pg from "pg";
import { AppError } from "../../model/errors.ts";
import { prepareQueue } from "../derive/queue.ts";
import { distribute, isForCitus, prepareCitus } from "./citus.ts";
import { isLost, lost, newClient } from "./connect.ts";
import { type Layout, onCitus, onOneServer } from "./layout.ts";
import type { HubMigration } from "./migration.ts";
import { hub } from "./migrations/0001-hub.ts";
import { core } from "./migrations/0002-core.ts";
import { server } from "./migrations/0003-server.ts";
import { questions } from "./migrations/0004-questions.ts";
import { provider } from "./migrations/0005-provider.ts";
import { operate } from "./migrations/0006-operate.ts";
import { statistics } from "./migrations/0007-statistics.ts";
import { lostNodes } from "./migrations/0008-lost-nodes.ts";
import { deleted } from "./migrations/0009-deleted.ts";
import { origins } from "./migrations/0010-origins.ts";
import { reachableSearch } from "./migrations/0011-reachable-search.ts";
import { notedSearches } from "./migrations/0012-noted-searches.ts";
import { handedFrom } from "./migrations/0013-handed-from.ts";
import { pushesFirst } from "./migrations/0014-pushes-first.ts";
import { OWNER, prepareRoles } from "./roles.ts";

export const MIGRATIONS: readonly HubMigration[] = [
  hub,
  core,
  server,
  questions,
  provider,
  operate,
  statistics,
  lostNodes,
  deleted,
  origins,
  reachableSearch,
  notedSearches,
  handedFrom,
  pushesFirst,
];

/** Any number will do, as long as nobody else takes it. */
const LOCK = 7_346_298;
const PARTITIONS = 8;
const OLDEST = 150_000;

export interface MigrateOptions {
  readonly secret: string;
  /** For a database that has no hub yet. */
  readonly layout?: Layout;
}

export interface Migrated {
  /** The ids of those that were run now. */
  readonly applied: readonly string[];
  readonly partitions: number;
}

/** `admin` logs in as who may make roles, and extensions of the kind that PostgreSQL calls trusted. */
export async function migrateHub(admin: pg.ClientConfig, options: MigrateOptions): Promise<Migrated> {
  const client = newClient(admin);
  await client.connect();
  try {
    await refuseOld(client);
    // Several servers may start at once.
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await prepareDatabase(client, options.secret);
    const isCitus = (options.layout?.partitions ?? 0) === 0 && (await isForCitus(client));
    if (isCitus) await prepareCitus(client, options.secret);
    await client.query(`SET ROLE ${OWNER}`);
    await client.query("CREATE SCHEMA IF NOT EXISTS hub");
    await client.query(
      "CREATE TABLE IF NOT EXISTS hub.migrations (id text PRIMARY KEY, partitions integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    const { rows } = await client.query<{ id: string; partitions: number }>(
      "SELECT id, partitions FROM hub.migrations ORDER BY id",
    );
    const known = new Set(rows.map(({ id }) => String(id)));
    refuseNewer(known);
    const servers = await serversOf(client);
    const isBehind = MIGRATIONS.some(({ id }) => !known.has(id));
    if (isBehind && servers.length > 0 && !options.layout) throw nodesFirst(servers);
    const layout = options.layout ?? standing(rows[0]?.partitions, isCitus);
    const applied: string[] = [];
    for (const migration of MIGRATIONS) {
      if (known.has(migration.id)) continue;
      await client.query("BEGIN");
      for (const statement of migration.up(layout)) await client.query(statement);
      await client.query("INSERT INTO hub.migrations (id, partitions) VALUES ($1, $2)", [
        migration.id,
        layout.partitions,
      ]);
      await client.query("COMMIT");
      applied.push(migration.id);
    }
    await prepareQueue(client);
    if (isCitus) {
      await client.query("RESET ROLE");
      await distribute(client);
    }
    return { applied, partitions: layout.partitions };
  } catch (error) {
    throw isLost(error) ? lost(error) : error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** As the hub was made, or as it is made where nothing is said. */
const standing = (partitions: number | undefined, isCitus: boolean): Layout =>
  partitions === undefined && isCitus ? onCitus : onOneServer(Number(partitions ?? PARTITIONS));

/** What the schema needs around it: roles, an extension, and a place for the owner. */
export async function prepareDatabase(client: pg.Client, secret: string): Promise<void> {
  await prepareRoles(client, secret);
  await client.query("CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public");
  await client.query(`GRANT CREATE ON DATABASE ${await nameOf(client)} TO ${OWNER}`);
}

async function nameOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>("SELECT quote_ident(current_database()) AS name");
  return String(rows[0]?.name);
}

/** The servers that hold partitions, where it is not this one alone. */
async function serversOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT DISTINCT s.srvname AS name FROM pg_foreign_table t JOIN pg_foreign_server s ON s.oid = t.ftserver JOIN pg_class c ON c.oid = t.ftrelid WHERE c.relnamespace = 'hub'::regnamespace ORDER BY 1",
  );
  return rows.map(({ name }) => String(name));
}

const nodesFirst = (servers: readonly string[]): AppError =>
  new AppError(
    "database-unavailable",
    `The hub's schema is older than this version, and ${servers.length} other servers hold its rows`,
    `Run \`migrateSharded\` with ${servers.join(", ")} first (docs/hub-scaling.md)`,
  );

async function refuseOld(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>("SHOW server_version_num");
  const version = Number(rows[0]?.server_version_num);
  if (version >= OLDEST) return;
  throw new AppError(
    "database-unavailable",
    `The hub needs PostgreSQL 15 or newer, and this server is ${Math.floor(version / 10_000)}`,
    "Use a newer server",
  );
}

function refuseNewer(known: ReadonlySet<string>): void {
  const unknown = [...known].find((id) => !MIGRATIONS.some((migration) => migration.id === id));
  if (unknown === undefined) return;
  throw new AppError(
    "store-newer",
    `The hub's database was written by a newer version (${unknown})`,
    "Use that version, or a newer one",
  );
}
