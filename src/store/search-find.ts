/** Asks the full-text index which rows have the words, best first. */
import type { Role } from "../model/role.ts";
import type { Database } from "../platform/sqlite.ts";
import { FOUND_COLUMNS, type FoundRow, type Table, toFoundRow } from "./search-rows.ts";
import type { Scope } from "./search-scope.ts";

export interface Candidate extends FoundRow {
  /** Higher is better. */
  readonly score: number;
}

/**
 * Words that stand in thousands of turns tell little about any of them: of so many, the newest are weighed. Ids grow
 * with time, and the index hands them out from the last one without looking at the rest. Titles are few, and tell much.
 */
const WEIGHED: Readonly<Record<Table, number>> = { turns: 500, search_texts: 2000 };
/** Weights of the columns: what was said, what tools did and gave back, parts of identifiers. */
const WEIGHTS = "1.0, 0.4, 0.5";

export interface Find {
  readonly expression: string;
  readonly scope: Scope;
  /** At most so many turns, and as many other texts. */
  readonly limit: number;
  /** Only what may have been said by this role; whether it was, only the text can tell. */
  readonly role?: Role | undefined;
}

export function findCandidates(db: Database, find: Find): Candidate[] {
  if (find.role === undefined) return [...findIn(db, find, "turns"), ...findIn(db, find, "search_texts")];
  return findIn(db, { ...find, expression: `{${COLUMNS[find.role]}} : (${find.expression})` }, "turns");
}

/** Parts of identifiers are kept without telling whose they are. */
const COLUMNS: Readonly<Record<Role, string>> = {
  user: "content parts",
  assistant: "content more parts",
  tool: "more parts",
};

function findIn(db: Database, { expression, scope, limit }: Find, table: Table): Candidate[] {
  const among = scope.among(table);
  return db
    .prepare(
      `SELECT ${FOUND_COLUMNS[table]}, best.score
         FROM (SELECT id, score
                 FROM (SELECT rowid AS id, -bm25(search_index, ${WEIGHTS}) AS score FROM search_index
                        WHERE search_index MATCH ? AND ${among.where}
                        ORDER BY rowid DESC LIMIT ${Math.max(WEIGHED[table], limit)})
                ORDER BY score DESC LIMIT ${limit}) best
         JOIN ${table} x ON x.id = best.id JOIN sessions s ON s.id = x.session_id`,
    )
    .all(expression, ...among.values)
    .map((row) => ({ ...toFoundRow(row), score: Number(row.score) }));
}

/** The newest rows of all, whatever they say. */
export function findNewest(db: Database, { own }: Scope, limit: number): Candidate[] {
  return (["turns", "search_texts"] as const).flatMap((table) =>
    db
      .prepare(
        `SELECT ${FOUND_COLUMNS[table]} FROM ${table} x JOIN sessions s ON s.id = x.session_id
          WHERE ${own.where} ORDER BY x.id DESC LIMIT ${limit}`,
      )
      .all(...own.values)
      .map((row, at) => ({ ...toFoundRow(row), score: 1 / (at + 1) })),
  );
}

/** Every row with these words, newest first, up to so many turns and other texts each. */
export function findIds(db: Database, expression: string, scope: Scope, limit: number): number[] {
  return (["turns", "search_texts"] as const).flatMap((table) => {
    const among = scope.among(table);
    return db
      .prepare(
        `SELECT rowid AS id FROM search_index WHERE search_index MATCH ? AND ${among.where} ORDER BY rowid DESC LIMIT ${limit}`,
      )
      .all(expression, ...among.values)
      .map((row) => Number(row.id));
  });
}
