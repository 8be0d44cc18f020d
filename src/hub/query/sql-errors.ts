/** What PostgreSQL says of a query, as errors of ours. */
import pg from "pg";
import { AppError } from "../../model/errors.ts";
import { lost } from "../database/connect.ts";

/** Classes of SQLSTATE, the longest first. */
const CODES: readonly (readonly [
  start: string,
  code: "sql-syntax" | "sql-refused" | "sql-many-statements",
])[] = [
  ["42501", "sql-refused"],
  ["25006", "sql-refused"],
  ["0A", "sql-refused"],
  ["42", "sql-syntax"],
];

/** What a query begins with; a statement of another kind does not fit into what is put around it. */
const QUERY = /^(SELECT|WITH|VALUES|TABLE)$/i;

/** Behind blanks and comments. Step by step, since an expression for all of it takes its time over a hostile text. */
function firstWord(sql: string): string {
  const blank = /\s+|--[^\n]*/y;
  for (let at = 0; ; ) {
    blank.lastIndex = at;
    if (blank.test(sql)) at = blank.lastIndex;
    else if (sql.startsWith("/*", at)) {
      const end = sql.indexOf("*/", at + 2);
      if (end < 0) return "";
      at = end + 2;
    } else return /^\w*/.exec(sql.slice(at, at + 40))?.[0] ?? "";
  }
}

export interface Asked {
  readonly sql: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export function toSqlError(error: unknown, { sql, timeoutMs, signal }: Asked): unknown {
  if (signal?.aborted)
    return new AppError("aborted", "The query was stopped before it was done", "Ask again");
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const { code } = error as Error & { readonly code?: unknown };
  if (code === "57014")
    return new AppError(
      "sql-timeout",
      `The query was stopped after ${timeoutMs / 1000} seconds`,
      "Narrow it with WHERE or LIMIT",
    );
  // The connection itself broke, or the server is about to end.
  if (!(error instanceof pg.DatabaseError)) return lost(error);
  if (/^(08|57P0)/.test(error.code ?? "")) return lost(error);
  const message = error.message.replaceAll(/\s+/g, " ").slice(0, 500);
  if (/multiple commands|multi-query|cannot insert multiple|at or near ";"/.test(message))
    return new AppError("sql-many-statements", "Only one statement can be run", "Run them one by one");
  if (code === "54000")
    return new AppError("sql-too-large", "A row of the result is larger than 1 MiB", "Ask for fewer columns");
  if (code === "53200" || code === "53400")
    return new AppError("sql-too-much-memory", `The query takes too much: ${message}`, "Narrow it");
  const state = typeof code === "string" ? code : "";
  const word = firstWord(sql);
  if (word !== "" && !QUERY.test(word) && state === "42601")
    return new AppError(
      "sql-refused",
      `Only reading is allowed, not ${word.toUpperCase()}`,
      "Use a single SELECT",
      error,
    );
  const known = CODES.find(([start]) => state.startsWith(start))?.[1] ?? "sql-failed";
  return new AppError(
    known,
    `The query ${known === "sql-refused" ? "was refused" : "failed"}: ${message}`,
    "See the tables and their columns with `rethread sql --hub --schema`; the dialect is PostgreSQL's",
    error,
  );
}
