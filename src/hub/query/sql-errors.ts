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

export function toSqlError(error: unknown, timeoutMs: number, signal: AbortSignal | undefined): unknown {
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
  if (/multiple commands|multi-query|cannot insert multiple/.test(message))
    return new AppError("sql-many-statements", "Only one statement can be run", "Run them one by one");
  if (code === "54000")
    return new AppError("sql-too-large", "A row of the result is larger than 1 MiB", "Ask for fewer columns");
  if (code === "53200" || code === "53400")
    return new AppError("sql-too-much-memory", `The query takes too much: ${message}`, "Narrow it");
  const state = typeof code === "string" ? code : "";
  const known = CODES.find(([start]) => state.startsWith(start))?.[1] ?? "sql-failed";
  return new AppError(
    known,
    `The query ${known === "sql-refused" ? "was refused" : "failed"}: ${message}`,
    "See the tables and their columns with `rethread sql --hub --schema`; the dialect is PostgreSQL's",
    error,
  );
}
