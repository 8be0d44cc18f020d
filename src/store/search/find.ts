/** Queries the full-text index for the best rows, or for all rows. */
import { prepared } from "../../platform/sqlite/prepared.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { FIRST_TEXT_ID } from "./index.ts";
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
  /** Whether it asks for more than one word, of which a row must have all. */
  readonly isNarrow?: boolean;
  /** Not the best of them, but those of the sessions that were active last. */
  readonly isNewest?: boolean;
}

export const findCandidates = (db: Database, find: Find): Candidate[] =>
  findNarrow(db, find) ?? TABLES.flatMap((table) => findIn(db, find, table));

/** Several words, or a phrase, mostly stand together in no more rows than these. */
const FEW = 300;

/**
 * Both tables in one go: the index walks through the rows of all words once, and counts them once, instead of once for
 * each table and to see whether there is anything in it. Nothing where there are too many, or not all of them are wanted.
 */
function findNarrow(
  db: Database,
  { expression, words, scope, limit, ...find }: Find,
): Candidate[] | undefined {
  if (!find.isNarrow || find.isNewest || !scope.isAll || words > MOST_WEIGHED_WORDS) return undefined;
  const best = (table: Table): string =>
    `SELECT ${FOUND_COLUMNS[table]}, best.score, (SELECT count(*) FROM found) AS count
       FROM (SELECT id, score FROM found WHERE id ${RANGES[table]} ORDER BY score DESC, id DESC LIMIT ${limit}) best
       JOIN ${table} x ON x.id = best.id JOIN sessions s ON s.id = x.session_id`;
  const rows = prepared(
    db,
    `WITH found AS MATERIALIZED (
       SELECT rowid AS id, -bm25(search_index, ${WEIGHTS}) AS score FROM search_index
        WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT ${FEW})
     ${TABLES.map(best).join(" UNION ALL ")}`,
  ).all(expression);
  if (Number(rows[0]?.count ?? 0) >= FEW) return undefined;
  return rows.map((row) => ({ ...toFoundRow(row), score: Number(row.score) }));
}
const RANGES: Readonly<Record<Table, string>> = {
  turns: `< ${FIRST_TEXT_ID}`,
  search_texts: `>= ${FIRST_TEXT_ID}`,
};

function findIn(db: Database, find: Find, table: Table): Candidate[] {
  const { expression, words, scope, limit } = find;
  const among = scope.among(table);
  if (find.isNewest) {
    if (table === "search_texts" && !hasTexts(db, expression)) return [];
    return prepared(
      db,
      `SELECT ${FOUND_COLUMNS[table]}
         FROM (SELECT rowid AS id FROM search_index WHERE search_index MATCH ? AND ${among.where}) found
         JOIN ${table} x ON x.id = found.id JOIN sessions s ON s.id = x.session_id
        ORDER BY s.updated_at DESC, x.id DESC LIMIT ${limit}`,
    )
      .all(expression, ...among.values)
      .map((row) => ({ ...toFoundRow(row), score: 1 }));
  }
  const isWeighed = words <= MOST_WEIGHED_WORDS;
  const most = isWeighed
    ? Math.max(OF_ONE_WORD[table], words > 1 ? Math.floor(OF_SEVERAL / words) : 0, limit)
    : limit;
  const score = isWeighed ? `-bm25(search_index, ${WEIGHTS})` : "1";
  const ask = (order: "ASC" | "DESC", weighed: number) =>
    prepared(
      db,
      `WITH found AS MATERIALIZED (
         SELECT rowid AS id, ${score} AS score FROM search_index
          WHERE search_index MATCH ? AND ${among.where} ORDER BY rowid ${order} LIMIT ${weighed})
       SELECT ${FOUND_COLUMNS[table]}, best.score, (SELECT count(*) FROM found) AS count
         FROM (SELECT id, score FROM found ORDER BY score DESC, id DESC LIMIT ${limit}) best
         JOIN ${table} x ON x.id = best.id JOIN sessions s ON s.id = x.session_id`,
    ).all(expression, ...among.values);
  // Titles and the like have the highest ids: where there are not too many, going up from the first of them sees no others.
  const going = table === "search_texts" ? ask("ASC", most + 1) : [];
  const isEnough = table === "search_texts" && Number(going[0]?.count ?? 0) <= most;
  return (isEnough ? going : ask("DESC", most)).map((row) => ({
    ...toFoundRow(row),
    score: Number(row.score),
  }));
}

/**
 * Going down from the highest ids, FTS5 stops at the first row that lies below the texts and matches, which may be none of
 * all the turns; going up, it has only the texts to look at.
 */
const hasTexts = (db: Database, expression: string): boolean =>
  prepared(
    db,
    `SELECT 1 FROM search_index WHERE search_index MATCH ? AND ${EVERYTHING.among("search_texts").where} LIMIT 1`,
  ).get(expression) !== undefined;

/** The rows of this list, the first of them the best. */
export function toCandidates(db: Database, ids: readonly number[]): Candidate[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  return TABLES.flatMap((table) =>
    prepared(
      db,
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
  const row = prepared(
    db,
    `SELECT count(*) AS n FROM (SELECT 1 FROM search_index
        WHERE search_index MATCH ? AND ${EVERYTHING.among("turns").where} LIMIT ${most})`,
  ).get(expression);
  return Number(row?.n);
}

/** The newest rows of one table, whatever they say. */
export const findNewest = (db: Database, { own }: Scope, table: Table, most = EVERY_ROW): number[] =>
  listed(db, `SELECT x.id FROM ${table} x WHERE ${own.where} ORDER BY x.id DESC LIMIT ${most}`, own.values);

/** As one text: handed over row by row, the ids of a word that stands everywhere would take six times as long. */
function listed(db: Database, query: string, values: readonly string[]): number[] {
  const row = prepared(db, `SELECT json_group_array(id) AS ids FROM (${query})`).get(...values);
  return JSON.parse(String(row?.ids)) as number[];
}
