/** What it takes to reach a hub's database, as its operator and as the roles of the server. */
import { createHmac } from "node:crypto";
import type pg from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import { AppError } from "../../model/errors.ts";
import { type HubPlace, newClient, PLAIN, type Rows, type Transaction } from "../database/connect.ts";
import { OWNER } from "../database/roles.ts";

export interface OpenPlace {
  /** Logs in as who may make roles. */
  readonly admin: pg.ClientConfig;
  readonly place: HubPlace;
  /** The folder of the embedded server's files; nothing for a server of the operator's own. */
  readonly cluster?: string;
  /** Ends what was started for it. */
  stop(): Promise<void>;
}

const DATABASE = "rethread_hub";

/** A server of the operator's own. Whatever is wrong with the address, its password is not part of the message. */
export function placeOf(databaseUrl: string, secret: string): OpenPlace {
  const parsed = parseUrl(databaseUrl);
  const { host, port = 5432, database, ssl } = parsed;
  if (!host || !database || !parsed.user)
    throw notAnAddress("it needs a user, a host and the name of a database");
  return {
    admin: { ...parsed, connectionTimeoutMillis: CONNECT_MS, application_name: "rethread hub admin" },
    place: { host, port, database, secret, ...(ssl !== undefined && { ssl }) },
    stop: async () => undefined,
  };
}

/** The embedded server, once it runs. */
export async function placeOfEmbedded(
  server: { readonly host: string; readonly port: number; readonly user: string },
  secret: string,
): Promise<Pick<OpenPlace, "admin" | "place">> {
  const { host, port, user } = server;
  const admin = {
    host,
    port,
    user,
    password: superuserPassword(secret),
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "rethread hub admin",
  };
  await connected({ ...admin, database: "postgres" }, async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
  return { admin: { ...admin, database: DATABASE }, place: { host, port, database: DATABASE, secret } };
}

export const superuserPassword = (secret: string): string =>
  createHmac("sha256", secret).update("role:superuser").digest("base64url");

const CONNECT_MS = 10_000;

function parseUrl(text: string): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//i.test(text)) throw notAnAddress("it must begin with postgres://");
  try {
    return parseIntoClientConfig(text);
  } catch {
    throw notAnAddress("it cannot be read");
  }
}

const notAnAddress = (why: string): AppError =>
  new AppError(
    "usage",
    `The address of the hub's database is not valid: ${why}`,
    "Write it as postgres://user:password@host:5432/database",
  );

export async function connected<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = newClient(config);
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(error);
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** One transaction as the owner of the tables, whom row-level security does not hold back. */
export const asOwner = <T>(config: pg.ClientConfig, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  connected(config, async (client) => {
    await client.query(`SET ROLE ${OWNER}`);
    await client.query("BEGIN");
    try {
      const answer = await work({
        clock: PLAIN.clock,
        query: async (sql, values) => (await client.query(sql, values as unknown[] | undefined)).rows as Rows,
        change: async (sql, values) =>
          (await client.query(sql, values as unknown[] | undefined)).rowCount ?? 0,
      });
      await client.query("COMMIT");
      return answer;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    }
  });

function unreachable(error: unknown): AppError {
  const { code = "", message = "" } = error as { readonly code?: string; readonly message?: string };
  const isRefused = code.startsWith("28");
  return new AppError(
    "database-unavailable",
    isRefused
      ? "The hub's database refuses the user or the password"
      : `The hub's database cannot be reached: ${message || code || "no answer"}`,
    isRefused
      ? "Check RETHREAD_HUB_DATABASE_URL; the embedded server takes only the secret that it was made with"
      : "Check that PostgreSQL runs there, and the address in --database-url",
    error,
  );
}
