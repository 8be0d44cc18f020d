/**
 * Who may do what in the hub's database. The server logs in as roles that own nothing and cannot pass row-level security;
 * their passwords come from the hub's secret, so that several servers of one hub need nothing but that.
 */
import { createHmac } from "node:crypto";
import type { ClientBase } from "pg";

/** Owns the tables and the functions that look past row-level security; nobody logs in as it, except the coordinator of Citus. */
export const OWNER = "rethread_owner";
/** `app` answers requests, `sql` runs people's own queries, `worker` makes derived rows, `shard` is a node's for its head. */
export type LoginRole = "app" | "sql" | "worker" | "shard";
export const LOGIN_ROLES: readonly LoginRole[] = ["app", "sql", "worker", "shard"];

export const roleName = (role: LoginRole): string => `rethread_${role}`;

export const passwordOf = (role: LoginRole | "owner", secret: string): string =>
  createHmac("sha256", secret).update(`role:${role}`).digest("base64url");

/** Makes the roles, or sets their passwords anew. The client must be allowed to make roles. */
export async function prepareRoles(client: ClientBase, secret: string): Promise<void> {
  await makeRole(client, OWNER, "NOLOGIN");
  // Who made a role may hand it on, but is not of it yet; a superuser needs no membership.
  await client.query(`GRANT ${OWNER} TO CURRENT_USER`);
  for (const role of LOGIN_ROLES) {
    await makeRole(client, roleName(role), "LOGIN");
    const password = client.escapeLiteral(passwordOf(role, secret));
    await client.query(`ALTER ROLE ${roleName(role)} PASSWORD ${password}`);
  }
  // What a crash takes from derived rows, it takes from the queue as well, and both are made again.
  await client.query(`ALTER ROLE ${roleName("worker")} SET synchronous_commit = off`);
  // A program that is cut off in the middle of a write must not keep others from that session for long.
  await client.query(`ALTER ROLE ${roleName("app")} SET idle_in_transaction_session_timeout = '60s'`);
  // One that is stopped half-way through a statement is not idle. PostgreSQL 17 and newer end its transaction as well.
  const { rows: known } = await client.query("SELECT 1 FROM pg_settings WHERE name = 'transaction_timeout'");
  if (known.length > 0) await client.query(`ALTER ROLE ${roleName("app")} SET transaction_timeout = '300s'`);
  // Whatever a query sets for itself ends with its transaction, and none may last or write.
  await client.query(`ALTER ROLE ${roleName("sql")} SET default_transaction_read_only = on`);
  await client.query(`ALTER ROLE ${roleName("sql")} SET statement_timeout = '30s'`);
  // Only a superuser may limit what a query writes to the disk while it sorts.
  const { rows } = await client.query<{ is: boolean }>(
    "SELECT rolsuper AS is FROM pg_roles WHERE rolname = current_user",
  );
  if (rows[0]?.is) await client.query(`ALTER ROLE ${roleName("sql")} SET temp_file_limit = '512MB'`);
}

async function makeRole(client: ClientBase, name: string, login: "LOGIN" | "NOLOGIN"): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [name]);
  const how = `${login} NOCREATEDB NOCREATEROLE INHERIT`;
  if (rowCount === 0) await client.query(`CREATE ROLE ${name} ${how}`);
}
