/** What SQLite's errors mean to the person who wrote the query. */
import { AppError } from "../../model/errors.ts";
import type { Advice } from "../../model/remedy.ts";
import { SQLITE, sqliteCode } from "../../platform/sqlite/sqlite.ts";
import type { Phase } from "./guard.ts";

/** Errors of the query itself; whatever else SQLite reports concerns the file, and is left to `toStoreError`. */
export function toQueryError(error: unknown, phase: Phase): unknown {
  if (!(error instanceof Error)) return error;
  if (isEmptyQuery(error)) return emptyQuery();
  const code = toCode(error, phase);
  return code ? new AppError(code, `SQLite says: ${error.message}`, HINTS[code], error) : error;
}

type QueryErrorCode = "sql-syntax" | "sql-refused" | "sql-failed" | "sql-too-large" | "sql-too-much-memory";

const HINTS: Readonly<Record<QueryErrorCode, Advice>> = {
  "sql-syntax": { say: "See the tables", remedy: { action: "sql", args: { schema: true } } },
  "sql-refused": "Use a single SELECT",
  "sql-failed": "Check the values that the query uses",
  "sql-too-large": "Select fewer columns, or shorten texts with substr()",
  "sql-too-much-memory": "Narrow it with WHERE, or sort and group fewer rows",
};

function toCode(error: Error, phase: Phase): QueryErrorCode | undefined {
  switch (sqliteCode(error)) {
    case SQLITE.AUTH:
    case SQLITE.READONLY:
      return "sql-refused";
    case SQLITE.TOOBIG:
      return "sql-too-large";
    case SQLITE.NOMEM:
      return "sql-too-much-memory";
    case SQLITE.ERROR:
      if (REFUSED_BY_SQLITE.test(error.message)) return "sql-refused";
      return phase === "compiling" ? "sql-syntax" : "sql-failed";
    default:
      return undefined;
  }
}

/** What SQLite refuses before it asks the guard: functions in the file's own definitions, and its schema table. */
const REFUSED_BY_SQLITE = /^unsafe use of |may not be modified$/;

/** Errors of the file: it is missing, damaged, locked, or no database at all. */
export function toStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  switch (sqliteCode(error)) {
    case undefined:
      return error;
    case SQLITE.BUSY:
      return new AppError("store-busy", `${path} is locked`, "Run the query again in a moment", error);
    default:
      return new AppError(
        "store-unusable",
        `${path} cannot be read: ${error.message}`,
        { say: "Rebuild the store", remedy: { action: "index", args: { rebuild: true } } },
        error,
      );
  }
}

export function refused(what: string, cause?: unknown): AppError {
  return new AppError("sql-refused", `Only reading is allowed, not ${what}`, HINTS["sql-refused"], cause);
}

export function tooLarge(message: string): AppError {
  return new AppError("sql-too-large", message, HINTS["sql-too-large"]);
}

export function tooMuchMemory(memoryMb: number): AppError {
  return new AppError(
    "sql-too-much-memory",
    `The query was stopped because it used ${memoryMb} MB of memory`,
    HINTS["sql-too-much-memory"],
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
