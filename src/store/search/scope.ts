/** Restricts a search to the sessions of a filter, in the cheapest way. */
import { prepared } from "../../platform/sqlite/prepared.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { addFilterFunctions, compileFilter, type SessionFilter } from "../filter.ts";
import { FIRST_TEXT_ID } from "./index.ts";
import type { Table } from "./rows.ts";

export interface Condition {
  readonly where: string;
  readonly values: readonly string[];
}

export interface Scope {
  /** Nothing is left out. */
  readonly isAll: boolean;
  /** On `search_index`, for the rows of one table. */
  among(table: Table): Condition;
  /** On a table of rows as `x`, joined with their sessions as `s`. */
  readonly own: Condition;
}

/** With fewer sessions than this share of all, their rows are listed instead of looking at each row that matches. */
const FEW = 0.05;

const RANGES: Readonly<Record<Table, string>> = {
  turns: `search_index.rowid < ${FIRST_TEXT_ID}`,
  search_texts: `search_index.rowid >= ${FIRST_TEXT_ID}`,
};

/** Nothing when the filter lets no session through. */
export function openScope(db: Database, filter: SessionFilter): Scope | undefined {
  const { where, values } = compileFilter(filter);
  if (where === "") return withoutCopies(db, EVERYTHING);
  addFilterFunctions(db);
  const all = Number(prepared(db, "SELECT count(*) AS n FROM sessions").get()?.n);
  const sessions = prepared(db, `SELECT s.id FROM sessions s WHERE ${where}`)
    .all(...values)
    .map((row) => String(row.id));
  if (sessions.length === all) return withoutCopies(db, EVERYTHING);
  if (sessions.length === 0) return undefined;
  return withoutCopies(db, sessions.length <= all * FEW ? rowsOf(sessions) : rowsIn(sessions), sessions);
}

/** Turns that stand in an earlier session of the scope, too, are found there. */
function withoutCopies(db: Database, scope: Scope, sessions?: readonly string[]): Scope {
  const listed = sessions ? [JSON.stringify(sessions)] : [];
  const row = prepared(
    db,
    `SELECT json_group_array(t.id) AS ids FROM turn_copies c
         JOIN turns t ON t.session_id = c.session_id AND t.turn_index = c.turn_index
        ${sessions ? `WHERE c.owner ${LISTED}` : ""}`,
  ).get(...listed);
  const ids = String(row?.ids);
  if (ids === "[]") return scope;
  const but = ({ where, values }: Condition, id: string): Condition => ({
    where: `${where} AND +${id} NOT ${LISTED}`,
    values: [...values, ids],
  });
  return {
    isAll: false,
    among: (table) =>
      table === "turns" ? but(scope.among(table), "search_index.rowid") : scope.among(table),
    own: but(scope.own, "x.id"),
  };
}

export const EVERYTHING: Scope = {
  isAll: true,
  among: (table) => ({ where: RANGES[table], values: [] }),
  own: { where: "true", values: [] },
};

const LISTED = "IN (SELECT value FROM json_each(?))";

/** The rows of these sessions are listed. */
function rowsOf(sessions: readonly string[]): Scope {
  const values = [JSON.stringify(sessions)];
  return {
    isAll: false,
    // The plus keeps SQLite from asking the index anew for every row of the list.
    among: (table) => ({
      where: `${RANGES[table]} AND +search_index.rowid IN (SELECT id FROM ${table} WHERE session_id ${LISTED})`,
      values,
    }),
    own: { where: `x.session_id ${LISTED}`, values },
  };
}

/** These rows and no others. */
export function among(ids: readonly number[]): Scope {
  const values = [JSON.stringify(ids)];
  return {
    isAll: false,
    among: (table) => ({ where: `${RANGES[table]} AND +search_index.rowid ${LISTED}`, values }),
    own: { where: `x.id ${LISTED}`, values },
  };
}

/** Of each row that matches it is asked whose it is; the filter itself was asked once for each session, not for each row. */
function rowsIn(sessions: readonly string[]): Scope {
  const values = [JSON.stringify(sessions)];
  return {
    isAll: false,
    among: (table) => ({
      where: `${RANGES[table]} AND EXISTS (
        SELECT 1 FROM ${table} x WHERE x.id = search_index.rowid AND x.session_id ${LISTED})`,
      values,
    }),
    own: { where: `x.session_id ${LISTED}`, values },
  };
}
