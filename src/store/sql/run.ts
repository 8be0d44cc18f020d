/** Runs a user's SQL in a separate process that cannot write and has limits on time and memory. */
import { resolve } from "node:path";
import { AppError } from "../../model/errors.ts";
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { type ChildEnd, runChild } from "../../platform/process/child.ts";
import { LAST_WORDS } from "../../platform/process/watchdog.ts";
import type { QueryFailure, QueryRequest } from "./child.ts";
import type { QueryResult } from "./query.ts";
import { tooMuchMemory } from "./query-errors.ts";

export type { QueryResult } from "./query.ts";

export const DEFAULT_ROWS = 10_000;
export const MAX_ROWS = 100_000;

export interface ReadOnlyQuery {
  /** How to start a process that calls `answerQuery`: this program itself knows where it lies, from source or bundled. */
  readonly command: readonly string[];
  /** The database file. */
  readonly path: string;
  readonly sql: string;
  /** Rows at most; 10,000 unless told, never more than 100,000. */
  readonly limit?: number;
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  /** It is the copy of the store without secrets. */
  readonly isCopy?: boolean;
  /** Ends the process at once. */
  readonly signal?: AbortSignal;
}

/**
 * A process, not a thread: a query inside SQLite can be stopped only by ending the process it runs in. Whatever the
 * query does, this either resolves or rejects with an AppError.
 */
export async function runReadOnly(query: ReadOnlyQuery): Promise<QueryResult> {
  const { command, path, sql, signal, limit = DEFAULT_ROWS, timeoutMs = 30_000, memoryMb = 512 } = query;
  const { isCopy = false } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ROWS) throw badLimit(limit);
  const request: QueryRequest = { path: resolve(path), sql, limit, timeoutMs, memoryMb, isCopy };
  const end = await runChild(command, JSON.stringify(request), timeoutMs, signal);
  refuseAborted(signal);
  return toResult(end, request);
}

function toResult(end: ChildEnd, { timeoutMs, memoryMb }: QueryRequest): QueryResult {
  if (end.how === "stopped" || end.stderr.endsWith(LAST_WORDS.time)) throw tookTooLong(timeoutMs);
  if (end.stderr.endsWith(LAST_WORDS.memory)) throw tooMuchMemory(memoryMb);
  if (!end.clean) throw childDied(end);
  const answer = JSON.parse(end.stdout) as QueryResult | QueryFailure;
  if ("error" in answer) throw new AppError(answer.error.code, answer.error.message, answer.error.advice);
  return answer;
}

function badLimit(limit: number): AppError {
  return new AppError(
    "usage",
    `The row limit must be from 1 to ${MAX_ROWS}, not ${limit}`,
    `Ask for at most ${MAX_ROWS} rows, and page through more with LIMIT and OFFSET in the query`,
  );
}

function tookTooLong(timeoutMs: number): AppError {
  return new AppError(
    "sql-timeout",
    `The query was stopped after ${timeoutMs / 1000} seconds`,
    "Narrow it with WHERE or LIMIT, or allow more time with --timeout",
  );
}

function childDied(end: ChildEnd): AppError {
  return new AppError(
    "sql-failed",
    `The process that ran the query ended early (${end.detail})`,
    "Try a simpler query; if it keeps failing, please report it with the query",
    end.stderr,
  );
}
