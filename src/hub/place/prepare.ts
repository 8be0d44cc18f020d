/** Brings the database of a hub to this version, for who may: never with another secret than its roles were made with. */
import type pg from "pg";
import { AppError } from "../../model/errors.ts";
import { clientConfig, type HubPlace } from "../database/connect.ts";
import { MIGRATIONS, type Migrated, migrateHub } from "../database/migrate.ts";
import { roleName } from "../database/roles.ts";
import { connected } from "./place.ts";

export async function prepareHub(
  admin: pg.ClientConfig,
  place: HubPlace,
  { renews = false }: { /** The roles get the passwords of this secret. */ readonly renews?: boolean } = {},
): Promise<Migrated> {
  if (!renews) await checkRoles(admin, place);
  return migrateHub(admin, { secret: place.secret });
}

/**
 * Roles belong to all databases of a PostgreSQL server: whoever has another secret would lock out the hubs that are
 * there, and other servers of this one.
 */
export async function checkRoles(admin: pg.ClientConfig, place: HubPlace): Promise<void> {
  const hasRoles = await connected(admin, async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [roleName("app")]);
    return rowCount !== 0;
  });
  if (hasRoles) await checkSecret(place);
}

export async function requireHub(admin: pg.ClientConfig): Promise<void> {
  const known = await migrationsIn(admin);
  if (known.length === 0)
    throw new AppError(
      "database-unavailable",
      "There is no hub in this database yet",
      "Make it with `rethread hub init`",
    );
  if (MIGRATIONS.some(({ id }) => !known.includes(id)))
    throw new AppError(
      "database-unavailable",
      "The hub's database is not at the schema of this version yet",
      "A server that starts is bringing it there, or start one: `rethread hub serve`",
    );
}

const migrationsIn = (admin: pg.ClientConfig): Promise<readonly string[]> =>
  connected(admin, async (client) => {
    const { rows } = await client.query<{ is: boolean }>(
      "SELECT to_regclass('hub.migrations') IS NOT NULL AND EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1) AS is",
      [roleName("app")],
    );
    if (rows[0]?.is !== true) return [];
    const found = await client.query<{ id: string }>("SELECT id FROM hub.migrations");
    return found.rows.map(({ id }) => id);
  });

async function checkSecret(place: HubPlace): Promise<void> {
  try {
    await connected(clientConfig(place, "app"), async () => undefined);
  } catch (error) {
    const { code } = (error as AppError).cause as { readonly code?: string };
    if (code !== "28P01") throw error;
    throw new AppError(
      "config-invalid",
      "The roles of this PostgreSQL server were made with another secret",
      "Give this server the RETHREAD_HUB_SECRET of the others, or replace it for all of them with `rethread hub init --new-secret`",
      error,
    );
  }
}
