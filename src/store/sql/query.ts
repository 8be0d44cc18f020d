/** Runs one query on an open database, in the child process, and converts its rows to JSON. */
import { AppError } from "../../model/errors.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { createGuard, type Guard } from "./guard.ts";
import { refused, tooLarge, toQueryError } from "./query-errors.ts";

/** As JSON can hold it: see `toJsonValue`. */
export type Value = string | number | null;

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** There were more rows than asked for. */
  readonly truncated: boolean;
}

/** Beyond this a result is refused: the asking process has to hold it. Also the longest single value. */
export const MAX_RESULT_BYTES = 64 << 20;

/** The result as JSON text: the rows are never held twice. `isCopy` for the copy of the store without secrets. */
export function runQuery(db: Database, sql: string, limit: number, isCopy = false): string {
  const guard = createGuard(isCopy);
  // FTS5 reads tables of its own when it is first met, which a query may not.
  if (isCopy) db.prepare("SELECT 1 FROM search_index WHERE search_index MATCH 'x' LIMIT 1").get();
  db.setAuthorizer(guard.answer);
  try {
    const statement = db.prepare(sql);
    // SQLite compiles the first statement and ignores the rest; its own idea of where that ends is the right one.
    const rest = withoutTrivia(sql.slice(statement.sourceSQL.length));
    if (rest !== "") throw manyStatements(rest);
    if (!guard.selects) throw refused("a statement that is not a query");
    guard.phase = "running";
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    const columns = statement.columns().map((column) => column.name);
    const { rows, truncated } = collect(statement.iterate() as Iterable<unknown>, limit);
    return `{"columns":${JSON.stringify(columns)},"truncated":${truncated},"rows":[${rows.join(",\n")}]}`;
  } catch (error) {
    throw withGuardsReason(error, guard);
  }
}

function collect(found: Iterable<unknown>, limit: number): { rows: string[]; truncated: boolean } {
  const rows: string[] = [];
  let bytes = 0;
  for (const row of found) {
    if (rows.length === limit) return { rows, truncated: true };
    const json = JSON.stringify((row as unknown[]).map(toJsonValue));
    bytes += Buffer.byteLength(json);
    if (bytes > MAX_RESULT_BYTES) throw tooLarge(`The result is larger than ${MAX_RESULT_BYTES >> 20} MB`);
    rows.push(json);
  }
  return { rows, truncated: false };
}

/**
 * Integers that a JSON number cannot hold exactly become their decimal text, infinities the words `Infinity` and
 * `-Infinity`, blobs the hexadecimal text that SQL's own `hex()` gives. Whoever needs to tell them from text asks
 * `typeof()`.
 */
export function toJsonValue(value: unknown): Value {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex").toUpperCase();
  return value as string | null;
}

/** What is left after spaces, semicolons and comments. A loop, since one pattern for all would backtrack without end. */
export function withoutTrivia(sql: string): string {
  const trivia = /[\s;]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
  let end = 0;
  while (trivia.test(sql)) end = trivia.lastIndex;
  return sql.slice(end);
}

function manyStatements(rest: string): AppError {
  return new AppError(
    "sql-many-statements",
    `Only one statement can be run, but more follow: ${JSON.stringify(rest.slice(0, 40))}`,
    "Run the statements one by one",
  );
}

function withGuardsReason(error: unknown, guard: Guard): unknown {
  if (error instanceof AppError) return error;
  return guard.refused === undefined ? toQueryError(error, guard.phase) : refused(guard.refused, error);
}
