/** Backups of a hub by PostgreSQL's own programs, in the custom format of pg_dump. */
import type pg from "pg";
import { AppError } from "../../model/errors.ts";
import type { NewFile } from "../../platform/disk/new-file.ts";
import {
  dumpTo,
  findPostgresTool,
  type PostgresLogin,
  restoreFrom,
  type ToolPlaces,
} from "../../platform/process/postgres-tools.ts";
import type { HubPlace } from "../database/connect.ts";
import { migrateHub, prepareDatabase } from "../database/migrate.ts";
import { OWNER } from "../database/roles.ts";
import { QUEUE_SCHEMA } from "../derive/queue.ts";
import { connected } from "../place/place.ts";

/** How a file of pg_dump begins. */
export const DUMP_MAGIC = "PGDMP";

const SCHEMAS = ["hub", QUEUE_SCHEMA].flatMap((name) => ["--schema", name]);
/** As the owner of the tables, whom row-level security does not hold back. */
const AS_OWNER = ["--role", OWNER];

export async function dumpHub(
  admin: pg.ClientConfig,
  tools: ToolPlaces,
  write: NewFile["write"],
): Promise<void> {
  await refuseSharded(admin);
  const tool = findPostgresTool("pg_dump", await majorOf(admin), tools);
  await dumpTo(tool, loginOf(admin), ["--format=custom", ...SCHEMAS, ...AS_OWNER], write);
}

/** Into a database that has no hub. The roles are made with the secret of this place; tokens go on working. */
export async function restoreDump(
  admin: pg.ClientConfig,
  { secret }: Pick<HubPlace, "secret">,
  tools: ToolPlaces,
  path: string,
): Promise<void> {
  await refuseFilled(admin);
  const tool = findPostgresTool("pg_restore", await majorOf(admin), tools);
  await connected(admin, async (client) => {
    await prepareDatabase(client, secret);
    await client.query("DROP SCHEMA IF EXISTS hub CASCADE");
    await client.query(`DROP SCHEMA IF EXISTS ${QUEUE_SCHEMA} CASCADE`);
  });
  const words = ["--exit-on-error", "--single-transaction", "--no-owner", ...AS_OWNER];
  await restoreFrom(tool, loginOf(admin), [...words, path]);
  await migrateHub(admin, { secret });
}

/** An empty hub may be replaced, and nothing else. */
export async function refuseFilled(admin: pg.ClientConfig): Promise<void> {
  const isFilled = await connected(admin, async (client) => {
    const { rows } = await client.query("SELECT to_regclass('hub.accounts') IS NOT NULL AS is");
    if (rows[0]?.is !== true) return false;
    return (await client.query("SELECT 1 FROM hub.accounts LIMIT 1")).rowCount !== 0;
  });
  if (isFilled)
    throw new AppError(
      "user-exists",
      "This database has a hub with users in it already, which a restore would replace",
      "Restore into an empty database, or with another RETHREAD_HOME",
    );
}

export async function refuseSharded(admin: pg.ClientConfig): Promise<void> {
  const { length } = await connected(admin, async (client) => {
    const { rows } = await client.query(
      "SELECT 1 FROM pg_class WHERE relnamespace = 'hub'::regnamespace AND relkind = 'f' LIMIT 1",
    );
    return rows;
  });
  if (length > 0)
    throw new AppError(
      "not-supported",
      "The rows of this hub lie on several servers",
      "Back up each of them with its own tools; see docs/hub-scaling.md",
    );
}

async function majorOf(admin: pg.ClientConfig): Promise<number> {
  const { rows } = await connected(admin, (client) => client.query("SHOW server_version_num"));
  return Math.floor(Number((rows[0] as { readonly server_version_num: string }).server_version_num) / 10_000);
}

function loginOf({ host, port, user, password, database, ssl }: pg.ClientConfig): PostgresLogin {
  const isChecked = typeof ssl === "object" ? ssl.rejectUnauthorized !== false : ssl === true;
  return {
    host: host ?? "",
    port: port ?? 5432,
    user: user ?? "",
    password: typeof password === "string" ? password : "",
    database: database ?? "",
    sslMode: ssl ? (isChecked ? "verify-full" : "require") : "prefer",
  };
}
