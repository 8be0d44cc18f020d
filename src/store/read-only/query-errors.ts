/** What SQLite's errors mean to the person who wrote the query. */
import { AppError } from "../../model/errors.ts";
import { SQLITE, sqliteCode } from "../../platform/sqlite.ts";
import type { Phase } from "./guard.ts";

/** Errors of the query itself; whatever else SQLite reports concerns the file, and is left to `toOpenError`. */
export function toQueryError(error: unknown, phase: Phase): unknown {
  if (!(error instanceof Error)) return error;
  if (isEmptyQuery(error)) return emptyQuery();
  const { message } = error;
  switch (sqliteCode(error)) {
    case SQLITE.AUTH:
    case SQLITE.READONLY:
      return refused(`what it tries (${message})`, error);
    case SQLITE.TOOBIG:
      return tooLarge(`SQLite says: ${message}`, error);
    case SQLITE.NOMEM:
      return tooMuchMemory(error);
    case SQLITE.ERROR:
      // What a table or view calls in its own definition is judged by SQLite (trusted_schema), not by the guard.
      if (message.startsWith(UNSAFE)) return refused(message.slice(UNSAFE.length), error);
      return phase === "compiling"
        ? new AppError(
            "sql-syntax",
            `SQLite says: ${message}`,
            "See the tables: rethread sql --schema",
            error,
          )
        : new AppError("sql-failed", `SQLite says: ${message}`, "Check the values the query works on", error);
    default:
      return error;
  }
}

const UNSAFE = "unsafe use of ";

/** The store could not be opened or read: it is missing, damaged, locked, or no database at all. */
export function toOpenError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || sqliteCode(error) === undefined) return error;
  return new AppError(
    "store-unreadable",
    `${path} cannot be read: ${error.message}`,
    "Make the store anew: rethread index --rebuild",
    error,
  );
}

export function refused(what: string, cause?: unknown): AppError {
  return new AppError("sql-refused", `Only reading is allowed, not ${what}`, "Use a single SELECT", cause);
}

export function tooLarge(message: string, cause?: unknown): AppError {
  return new AppError(
    "sql-too-large",
    message,
    "Select fewer columns, or shorten texts with substr()",
    cause,
  );
}

export function tooMuchMemory(cause?: unknown): AppError {
  return new AppError(
    "sql-too-much-memory",
    "The query took too much memory and was stopped",
    "Narrow it with WHERE, or sort and group fewer rows",
    cause,
  );
}

function emptyQuery(): AppError {
  return new AppError(
    "usage",
    "There is no SQL statement to run",
    "For example: SELECT id FROM sessions LIMIT 5",
  );
}

/** Node's own complaint about a text without any statement; SQLite itself has no word for that. */
function isEmptyQuery(error: Error): boolean {
  return "code" in error && error.code === "ERR_INVALID_ARG_VALUE";
}
