/** The child process: runs one query within its limits and answers once. */
import { AppError, type ErrorCode } from "../../model/errors.ts";
import type { Advice } from "../../model/remedy.ts";
import { receive, reply } from "../../platform/process/child.ts";
import { startWatchdog } from "../../platform/process/watchdog.ts";
import { type LookOptions, lookUntouched } from "../../platform/sqlite/untouched.ts";
import { MAX_RESULT_BYTES, runQuery } from "./query.ts";
import { toStoreError } from "./query-errors.ts";

export interface QueryRequest {
  readonly path: string;
  readonly sql: string;
  readonly limit: number;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** See `guard.ts`. */
  readonly isCopy?: boolean;
}

/** The answer when there is no result. */
export interface QueryFailure {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly advice: Advice };
}

/**
 * Each line alone would keep the file as it is or the query in bounds; together they hold when one of them fails.
 * Sorting and grouping stay in memory, where the watchdog sees them: temporary files could fill the disk.
 * SQLite's own `hard_heap_limit` is no help: Node builds SQLite without the bookkeeping it needs.
 */
const HARDENED: LookOptions = {
  limits: { length: MAX_RESULT_BYTES, sqlLength: 1 << 20, attach: 0, triggerDepth: 0 },
  setup: `
    PRAGMA query_only = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -16000;
  `,
};

/** Past its time the child ends by itself, should the parent be too busy to see to it. */
const GRACE_MS = 1000;

/** The whole life of the child. Its entry is for the program to choose; see `command` in run.ts. */
export function answerQuery(): void {
  const request = JSON.parse(receive()) as QueryRequest;
  startWatchdog({ memoryBytes: request.memoryMb * 2 ** 20, lifetimeMs: request.timeoutMs + GRACE_MS });
  reply(answer(request));
}

/** Always JSON: a QueryResult or a QueryFailure. */
export function answer({
  path,
  sql,
  limit,
  isCopy = false,
}: Pick<QueryRequest, "path" | "sql" | "limit" | "isCopy">): string {
  try {
    return lookUntouched(path, HARDENED, (db) => runQuery(db, sql, limit, isCopy));
  } catch (error) {
    const known = error instanceof AppError ? error : toStoreError(error, path);
    if (!(known instanceof AppError)) throw known;
    const { code, message, advice } = known;
    return JSON.stringify({ error: { code, message, advice } } satisfies QueryFailure);
  }
}
