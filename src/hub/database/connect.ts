/** Connections to the hub's database: a pool for each role, and transactions in the name of an account. */
import pg from "pg";
import { AppError } from "../../model/errors.ts";
import type { Credentials } from "./credentials.ts";
import { nameOfStatement, prepared } from "./prepared.ts";
import { type LoginRole, passwordOf, roleName } from "./roles.ts";

/** Where the database is, and how its roles log in. */
export interface HubPlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly ssl?: pg.ClientConfig["ssl"];
  /** From which the roles' passwords are made. */
  readonly secret: string;
  /** For programs that are trusted with one role only: the password of `app`. */
  readonly appPassword?: string;
}

/** What columns hold. Those of JSON hold more, which is cast to what was checked before it was stored. */
export type ColumnValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | Uint8Array
  | readonly string[];

export type Rows = readonly Readonly<Record<string, ColumnValue>>[];

/** Asks within one transaction. What is asked without waiting for an answer is sent together, and answered in its order. */
export interface Transaction {
  query(sql: string, values?: readonly unknown[]): Promise<Rows>;
  /** How many rows a statement changed. */
  change(sql: string, values?: readonly unknown[]): Promise<number>;
  /** The time it is, as SQL, for statements that change rows. */
  readonly clock: string;
}

/** For statements that pass over what is there already, where nothing may be. */
export async function changeAll(
  tx: Transaction,
  count: number,
  sql: string,
  values: readonly unknown[],
): Promise<number> {
  const changed = await tx.change(sql, values);
  if (changed === count) return changed;
  throw new Error(`Of ${count} rows ${changed} were written`);
}

export interface TransactionOptions {
  /**
   * For work that asks the same few things about one session again and again: a plan is made once for each connection,
   * and finds the partition when it is run. Making one takes longer than running it.
   */
  readonly isPlannedOnce?: boolean;
}

/** A database that wants a plan for each question keeps it so. A plan that was made for empty tables uses their keys, too. */
const PLAN_ONCE = `set_config('plan_cache_mode', CASE current_setting('plan_cache_mode') WHEN 'force_custom_plan'
  THEN 'force_custom_plan' ELSE 'force_generic_plan' END, true), set_config('enable_seqscan', 'off', true)`;

export interface HubDatabase {
  readonly place: HubPlace;
  /** What an account may see and do; all of it, or nothing of it. */
  as<T>(
    who: Credentials,
    work: (transaction: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Without an account, for what functions of the owner answer. */
  open<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Derived rows of one account. */
  work<T>(account: string, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** What is said otherwise on Citus. */
  dialect(): Promise<Dialect>;
  /** A pool of a role, for what does more than these. */
  pool(role: LoginRole): pg.Pool;
  close(): Promise<void>;
}

export interface Dialect {
  readonly isCitus: boolean;
  /** The call that sets a setting until the transaction ends, by the numbers of two parameters. */
  setting(name: string, parameters: readonly [name: number, value: number]): string;
  readonly clock: string;
}

export const PLAIN: Dialect = {
  isCitus: false,
  setting: (_, [name, value]) => `set_config($${name}, $${value}, true)`,
  clock: "clock_timestamp()",
};

/** Settings that say who asks reach the nodes. The coordinator's clock holds for all of them. */
const ON_CITUS: Dialect = {
  isCitus: true,
  setting: (name, parameters) =>
    name.startsWith("rethread.")
      ? `hub.set_local($${parameters[0]}, $${parameters[1]})`
      : PLAIN.setting(name, parameters),
  clock: "hub.clock()",
};

const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
const MOST: Record<LoginRole, number> = { app: 20, sql: 4, worker: 4, shard: 1 };

/** What a request asks takes seconds at most; whatever hangs does not keep its locks for ever. */
const LIMITS: Partial<Record<LoginRole, Readonly<Record<string, string>>>> = {
  app: { statement_timeout: "300s" },
};

export const clientConfig = (place: HubPlace, role: LoginRole): pg.ClientConfig => ({
  host: place.host,
  port: place.port,
  database: place.database,
  user: roleName(role),
  password: (role === "app" ? place.appPassword : undefined) ?? passwordOf(role, place.secret),
  ...(place.ssl !== undefined && { ssl: place.ssl }),
  application_name: `rethread-hub ${role}`,
  connectionTimeoutMillis: CONNECT_MS,
  pipeline: true,
});

/** Outside of the pools. One that breaks fails the query that is under way, which tells of it; it ends no process. */
export function newClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  return client;
}

export function openHubDatabase(place: HubPlace): HubDatabase {
  const pools = new Map<LoginRole, pg.Pool>();
  const pool = (role: LoginRole): pg.Pool => {
    const known = pools.get(role);
    if (known) return known;
    const made = new pg.Pool({
      ...clientConfig(place, role),
      max: MOST[role],
      idleTimeoutMillis: IDLE_MS,
      // A program that has nothing else to do ends, whether it has closed this or not.
      allowExitOnIdle: true,
    });
    // A connection that breaks while nobody uses it is replaced by the next one.
    made.on("error", () => undefined);
    pools.set(role, made);
    return made;
  };
  let known: Promise<Dialect> | undefined;
  const dialect = (): Promise<Dialect> => {
    if (known) return known;
    const asked = pool("app")
      .query<{ is: boolean }>("SELECT to_regprocedure('hub.clock()') IS NOT NULL AS is")
      .then(({ rows }) => (rows[0]?.is === true ? ON_CITUS : PLAIN));
    asked.catch(() => {
      known = undefined;
    });
    known = asked;
    return asked;
  };
  const within = async <T>(
    role: LoginRole,
    settings: Readonly<Record<string, string>>,
    options: TransactionOptions,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> => {
    const spoken = await dialect().catch(unreachable);
    const client = await pool(role).connect().catch(unreachable);
    let broken: Error | undefined;
    let first: unknown;
    const noteFirst = (error: unknown): never => {
      first ??= error;
      throw error;
    };
    const onError = (error: Error): void => {
      broken ??= error;
    };
    client.on("error", onError);
    try {
      // Sent with the first of the work; without the settings nothing of that is seen or changed.
      const begun = begin(client, { ...LIMITS[role], ...settings }, spoken, options);
      begun.catch(() => undefined);
      const answer = await work(toTransaction(client, spoken, noteFirst));
      await begun;
      // PostgreSQL ends a transaction in which something failed without an error, and says so here.
      if ((await client.query("COMMIT")).command !== "COMMIT") throw new Error("The transaction had failed");
      return answer;
    } catch (caught) {
      // What was sent behind the statement that failed tells nothing of why.
      const error = codeOf(caught) === ABORTED ? (first ?? caught) : caught;
      // A connection that does not even take this is given up.
      await client.query("ROLLBACK").catch(onError);
      throw broken || isPassing(error, role) ? lost(error) : error;
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  };
  return {
    place,
    pool,
    dialect,
    as: ({ account, proof }, work, options = {}) =>
      within("app", { "rethread.account": account, "rethread.proof": proof }, options, work),
    open: (work) => within("app", {}, {}, work),
    work: (account, work) =>
      within("worker", { "rethread.work_account": account }, { isPlannedOnce: true }, work),
    async close() {
      await Promise.all([...pools.values()].map((each) => each.end()));
      pools.clear();
    },
  };
}

async function begin(
  client: pg.PoolClient,
  settings: Readonly<Record<string, string>>,
  { setting }: Dialect,
  { isPlannedOnce = false }: TransactionOptions,
): Promise<void> {
  const entries = Object.entries(settings);
  const set = entries.map(([name], at) => setting(name, [2 * at + 1, 2 * at + 2]));
  const all = [...set, ...(isPlannedOnce ? [PLAN_ONCE] : [])];
  await Promise.all([
    client.query("BEGIN"),
    ...(all.length > 0 ? [ask(client, prepared(`SELECT ${all.join(", ")}`), entries.flat())] : []),
  ]);
}

const toTransaction = (
  client: pg.PoolClient,
  { clock }: Dialect,
  failed: (error: unknown) => never,
): Transaction => ({
  clock,
  query: async (sql, values) => (await ask(client, sql, values).catch(failed)).rows,
  change: async (sql, values) => (await ask(client, sql, values).catch(failed)).rowCount ?? 0,
});

/** SQLSTATE of a statement within a transaction that has failed. */
const ABORTED = "25P02";
const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;

function ask(client: pg.PoolClient, text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
  const name = nameOfStatement(text);
  return client.query({ ...(name !== undefined && { name }), text, values: [...values] });
}

/**
 * The server ends or starts, has no connection left, or gave up one of two transactions that waited for each other: the
 * same may go well in a moment. Classes of SQLSTATE, and what the system says of a connection.
 */
const PASSING = /^(08|57P0|53|40001|40P01|ECONN|EPIPE|ETIMEDOUT)/;

const isPassing = (error: unknown, role: LoginRole): boolean =>
  // Queries that people write themselves are theirs to shorten.
  (codeOf(error) === "57014" && role === "app") || isLost(error);

export const isLost = (error: unknown): boolean => {
  const { code = "", message = "" } = error as { readonly code?: string; readonly message?: string };
  return PASSING.test(code) || /^(Connection terminated|Client has encountered)/.test(message);
};

export const unreachable = (error: unknown): never => {
  throw lost(error);
};

export function lost(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  // As postgres_fdw says it, followed by an address that is nobody's business; Citus has nothing but the address.
  const [, node] = /^could not connect to server "([^"]+)"/.exec(message) ?? [];
  const isOfCitus = /\bremote node \S+@\S+:\d+/.test(message);
  return new AppError(
    "database-unavailable",
    isOfCitus
      ? "A server that holds a part of the hub's sessions does not answer"
      : node === undefined
        ? `The hub's database does not answer: ${message}`
        : `The server ${node}, which holds a part of the hub's sessions, does not answer`,
    "Try again soon; if it lasts, look at the PostgreSQL server",
    error,
  );
}
