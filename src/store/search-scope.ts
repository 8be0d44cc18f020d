/** Which rows of the index belong to the sessions that a filter lets through, found in the way that costs least. */
import type { Database } from "../platform/sqlite.ts";
import { addFilterFunctions, compileFilter, type SessionFilter } from "./filter.ts";
import { FIRST_TEXT_ID } from "./search-index.ts";
import type { Table } from "./search-rows.ts";

export interface Condition {
  readonly where: string;
  readonly values: readonly string[];
}

/** A condition on `search_index`, for the rows of one table. */
export type Scope = (table: Table) => Condition;

/** With fewer sessions than this share of all, their rows are listed instead of looking at each row that matches. */
const FEW = 0.05;

const RANGES: Readonly<Record<Table, string>> = {
  turns: `search_index.rowid < ${FIRST_TEXT_ID}`,
  search_texts: `search_index.rowid >= ${FIRST_TEXT_ID}`,
};

export function openScope(db: Database, filter: SessionFilter): Scope {
  const { where, values } = compileFilter(filter);
  if (where === "") return (table) => ({ where: RANGES[table], values: [] });
  addFilterFunctions(db);
  const all = Number(db.prepare("SELECT count(*) AS n FROM sessions").get()?.n);
  const sessions = db
    .prepare(`SELECT s.id FROM sessions s WHERE ${where}`)
    .all(...values)
    .map((row) => String(row.id));
  if (sessions.length === all) return (table) => ({ where: RANGES[table], values: [] });
  if (sessions.length <= all * FEW) {
    const list = JSON.stringify(sessions);
    // The plus keeps SQLite from asking the index anew for every row of the list.
    return (table) => ({
      where: `${RANGES[table]} AND +search_index.rowid IN (
        SELECT id FROM ${table} WHERE session_id IN (SELECT value FROM json_each(?)))`,
      values: [list],
    });
  }
  return (table) => ({
    where: `${RANGES[table]} AND EXISTS (
      SELECT 1 FROM ${table} y JOIN sessions s ON s.id = y.session_id WHERE y.id = search_index.rowid AND ${where})`,
    values,
  });
}
