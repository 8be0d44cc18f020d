/**
 * Runs a person's own SQL: one query, by a role that may only read views, of which the policies show what is theirs. What
 * a query uses is decided before it runs, by PostgreSQL's own reading of it and not by its letters.
 */
import type pg from "pg";
import { AppError } from "../../model/errors.ts";
import { DEFAULT_ROWS, MAX_ROWS, type QueryResult } from "../../store/sql/run.ts";
import { clientConfig, type HubDatabase, newClient, unreachable } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { STORE } from "../database/migrations/0004/views.ts";
import { requireScope } from "../ingest/access.ts";
import { alone, refuseForbidden } from "./sql-check.ts";
import { toSqlError } from "./sql-errors.ts";
import { VALUE_TYPES } from "./sql-values.ts";

export interface HubQuery {
  readonly sql: string;
  readonly limit?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const MOST_MS = 30_000;
/** Of the whole answer, in characters. */
const MOST_CHARACTERS = 32 << 20;
/** A row has at most 1 MiB, as a text: what it takes on the disk, compressed, says nothing. */
const AT_ONCE = 50;
/** Of one account at the same time: there are few connections for this. */
const MOST_OF_ONE = 2;

/** What a query may change for itself, and what it may not wait for. */
const SETTINGS = {
  search_path: `${STORE}, pg_catalog, pg_temp`,
  TimeZone: "UTC",
  jit: "off",
  max_parallel_workers_per_gather: "0",
  lock_timeout: "1s",
};

export interface SqlRunner {
  run(who: Credentials, query: HubQuery): Promise<QueryResult>;
}

/** One for each server, which counts what is under way. */
export function createSqlRunner(db: HubDatabase): SqlRunner {
  const running = new Map<string, number>();
  return {
    async run(who, query) {
      const { limit = DEFAULT_ROWS, timeoutMs = MOST_MS } = query;
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ROWS)
        throw new AppError(
          "usage",
          `The row limit must be from 1 to ${MAX_ROWS}, not ${limit}`,
          `Ask for at most ${MAX_ROWS} rows, and page through more with LIMIT and OFFSET in the query`,
        );
      await db.as(who, async (tx) => {
        await requireScope(tx, "read");
        await tx.query("SELECT hub.note_query()");
      });
      const count = running.get(who.account) ?? 0;
      if (count >= MOST_OF_ONE)
        throw new AppError(
          "too-many-requests",
          `${MOST_OF_ONE} queries of this account are under way`,
          "Wait until one of them is done",
        );
      running.set(who.account, count + 1);
      try {
        return await runQuery(db, who, { ...query, limit, timeoutMs: Math.min(timeoutMs, MOST_MS) });
      } finally {
        const left = (running.get(who.account) ?? 1) - 1;
        if (left > 0) running.set(who.account, left);
        else running.delete(who.account);
      }
    },
  };
}

type Limits = HubQuery & { readonly limit: number; readonly timeoutMs: number };

async function runQuery(
  db: HubDatabase,
  who: Credentials,
  { sql, limit, timeoutMs, signal }: Limits,
): Promise<QueryResult> {
  const client = await db.pool("sql").connect().catch(unreachable);
  const until = performance.now() + timeoutMs;
  let [isBroken, isStopped] = [false, false];
  let pid: number | undefined;
  // Who goes away takes the query along.
  const stop = (): void => {
    isStopped = true;
    if (pid !== undefined) cancel(db, pid).catch(ignore);
  };
  signal?.addEventListener("abort", stop, { once: true });
  client.on("error", ignore);
  try {
    const written = sql.trim().replace(/;\s*$/, "");
    const asked = wrapped(written);
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    pid = rows[0]?.pid;
    await begin(db, client, who, "READ WRITE", timeoutMs);
    await refuseForbidden(client, asked, written);
    await client.query("ROLLBACK");
    await begin(db, client, who, "READ ONLY", timeoutMs);
    if (isStopped) throw new Error("stopped");
    return await readRows(client, asked, limit, until);
  } catch (error) {
    throw toSqlError(error, { sql, timeoutMs, signal });
  } finally {
    signal?.removeEventListener("abort", stop);
    // Whatever a query has left behind ends with its transaction.
    await client.query("ROLLBACK").catch(() => {
      isBroken = true;
    });
    client.off("error", ignore);
    client.release(isBroken);
  }
}

const ignore = (): void => undefined;

/** By a connection of its own: those of the pool may all be busy. */
async function cancel({ place }: HubDatabase, pid: number): Promise<void> {
  const client = newClient(clientConfig(place, "sql"));
  await client.connect();
  try {
    await client.query("SELECT pg_cancel_backend($1)", [pid]);
  } finally {
    await client.end();
  }
}

/** As a part of a query of ours, so that it can be nothing but one query that reads; and no row of it is too large. */
const wrapped = (sql: string): string =>
  `SELECT "one row".* FROM (\n${sql}\n) "one row" WHERE ${STORE}.fits(octet_length(CAST("one row".* AS text)))`;

async function begin(
  db: HubDatabase,
  client: pg.PoolClient,
  { account, proof }: Credentials,
  mode: "READ ONLY" | "READ WRITE",
  timeoutMs: number,
): Promise<void> {
  await client.query(`BEGIN ${mode}`);
  const settings = {
    ...SETTINGS,
    statement_timeout: `${timeoutMs}ms`,
    "rethread.account": account,
    "rethread.proof": proof,
  };
  const { setting } = await db.dialect();
  for (const [name, value] of Object.entries(settings))
    await client.query(`SELECT ${setting(name, [1, 2])}`, [name, value]);
}

async function readRows(
  client: pg.PoolClient,
  query: string,
  limit: number,
  until: number,
): Promise<QueryResult> {
  await client.query(alone(`DECLARE asked NO SCROLL CURSOR FOR ${query}`));
  const rows: QueryResult["rows"][number][] = [];
  let columns: string[] = [];
  let size = 0;
  for (;;) {
    const left = Math.floor(until - performance.now());
    if (left <= 0) throw Object.assign(new Error("statement timeout"), { code: "57014" });
    await client.query("SELECT set_config('statement_timeout', $1, true)", [`${left}ms`]);
    const most = Math.min(AT_ONCE, limit + 1 - rows.length);
    const page = await client.query({
      text: `FETCH FORWARD ${most} FROM asked`,
      rowMode: "array",
      types: VALUE_TYPES,
    });
    columns = page.fields.map(({ name }) => name);
    for (const row of page.rows as QueryResult["rows"][number][]) {
      for (const value of row) size += typeof value === "string" ? value.length : 8;
      rows.push(row);
    }
    if (size > MOST_CHARACTERS) throw tooLarge();
    if (page.rows.length < most || rows.length > limit)
      return { columns, rows: rows.slice(0, limit), truncated: rows.length > limit };
  }
}

const tooLarge = (): AppError =>
  new AppError(
    "sql-too-large",
    `The result has more than ${MOST_CHARACTERS >> 20} MiB`,
    "Ask for fewer rows or columns",
  );
