/** Queries the full-text index for the best rows, or for all rows. */
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { FOUND_COLUMNS, type FoundRow, TABLES, type Table, toFoundRow } from "./rows.ts";
import { EVERYTHING, type Scope } from "./scope.ts";

export interface Candidate extends FoundRow {
  /** Higher is better. */
  readonly score: number;
  /** Has the words only in other forms or as beginnings of longer ones. */
  readonly isNear?: boolean;
}

/**
 * A single word that stands in thousands of turns tells little about any of them: of so many, the newest are weighed.
 * Ids grow with time (see `time-ids.ts`), and the index hands them out from the last one without looking at the rest.
 * Titles are few, and tell much.
 */
const OF_ONE_WORD: Readonly<Record<Table, number>> = { turns: 500, search_texts: 2000 };
/** Several words say more together, so nearly all rows that have them are weighed: so many, times the words. */
const OF_SEVERAL = 8000;
/** To weigh rows, FTS5 first counts the rows of every word. Of so many words the newest rows are as good as any. */
const MOST_WEIGHED_WORDS = 24;
/** Weights of the columns: what was said, what tools did and gave back, parts of identifiers. */
const WEIGHTS = "1.0, 0.4, 0.5";

const EVERY_ROW = -1;

export interface Find {
  readonly expression: string;
  /** How many words and phrases there are in the expression. */
  readonly words: number;
  readonly scope: Scope;
  /** At most so many turns, and as many other texts. */
  readonly limit: number;
  /** Not the best of them, but those of the sessions that were active last. */
  readonly isNewest?: boolean;
}

export const findCandidates = (db: Database, find: Find): Candidate[] =>
  TABLES.flatMap((table) => findIn(db, find, table));

function findIn(db: Database, find: Find, table: Table): Candidate[] {
  const { expression, words, scope, limit } = find;
  if (table === "search_texts" && !hasTexts(db, expression)) return [];
  const among = scope.among(table);
  if (find.isNewest)
    return db
      .prepare(
        `SELECT ${FOUND_COLUMNS[table]}
           FROM (SELECT rowid AS id FROM search_index WHERE search_index MATCH ? AND ${among.where}) found
           JOIN ${table} x ON x.id = found.id JOIN sessions s ON s.id = x.session_id
          ORDER BY s.updated_at DESC, x.id DESC LIMIT ${limit}`,
      )
      .all(expression, ...among.values)
      .map((row) => ({ ...toFoundRow(row), score: 1 }));
  const weighed = Math.max(OF_ONE_WORD[table], words > 1 ? Math.floor(OF_SEVERAL / words) : 0, limit);
  const score = words > MOST_WEIGHED_WORDS ? "1" : `-bm25(search_index, ${WEIGHTS})`;
  return db
    .prepare(
      `SELECT ${FOUND_COLUMNS[table]}, best.score
         FROM (SELECT id, score
                 FROM (SELECT rowid AS id, ${score} AS score FROM search_index
                        WHERE search_index MATCH ? AND ${among.where}
                        ORDER BY rowid DESC LIMIT ${words > MOST_WEIGHED_WORDS ? limit : weighed})
                ORDER BY score DESC, id DESC LIMIT ${limit}) best
         JOIN ${table} x ON x.id = best.id JOIN sessions s ON s.id = x.session_id`,
    )
    .all(expression, ...among.values)
    .map((row) => ({ ...toFoundRow(row), score: Number(row.score) }));
}

/**
 * Titles and the like have the highest ids. Going down from there, FTS5 stops at the first row that lies below them and
 * matches, which may be none of all the turns; going up, it has only them to look at.
 */
const hasTexts = (db: Database, expression: string): boolean =>
  db
    .prepare(
      `SELECT 1 FROM search_index WHERE search_index MATCH ? AND ${EVERYTHING.among("search_texts").where} LIMIT 1`,
    )
    .get(expression) !== undefined;

/** The rows of this list, the first of them the best. */
export function toCandidates(db: Database, ids: readonly number[]): Candidate[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  return TABLES.flatMap((table) =>
    db
      .prepare(
        `SELECT ${FOUND_COLUMNS[table]} FROM ${table} x JOIN sessions s ON s.id = x.session_id
          WHERE x.id IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(ids))
      .map((row) => ({ ...toFoundRow(row), score: 1 / (1 + (places.get(Number(row.id)) ?? 0)) })),
  );
}

/** The rows of one table with these words, newest first; all of them, unless there are more than `most`. */
export function findIds(
  db: Database,
  expression: string,
  scope: Scope,
  table: Table,
  most = EVERY_ROW,
): number[] {
  if (table === "search_texts" && !hasTexts(db, expression)) return [];
  const among = scope.among(table);
  return listed(
    db,
    `SELECT rowid AS id FROM search_index WHERE search_index MATCH ? AND ${among.where} ORDER BY rowid DESC LIMIT ${most}`,
    [expression, ...among.values],
  );
}

/** How many turns have these words, counted up to `most`. */
export function countTurns(db: Database, expression: string, most: number): number {
  const row = db
    .prepare(
      `SELECT count(*) AS n FROM (SELECT 1 FROM search_index
        WHERE search_index MATCH ? AND ${EVERYTHING.among("turns").where} LIMIT ${most})`,
    )
    .get(expression);
  return Number(row?.n);
}

/** The newest rows of one table, whatever they say. */
export const findNewest = (db: Database, { own }: Scope, table: Table, most = EVERY_ROW): number[] =>
  listed(db, `SELECT x.id FROM ${table} x WHERE ${own.where} ORDER BY x.id DESC LIMIT ${most}`, own.values);

/** As one text: handed over row by row, the ids of a word that stands everywhere would take six times as long. */
function listed(db: Database, query: string, values: readonly string[]): number[] {
  const row = db.prepare(`SELECT json_group_array(id) AS ids FROM (${query})`).get(...values);
  return JSON.parse(String(row?.ids)) as number[];
}
