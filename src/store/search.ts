/** Answers a search: exact words first, then beginnings, then most of the words, then other spellings. */
import type { Database } from "../platform/sqlite.ts";
import { addFilterFunctions, compileFilter, type SessionFilter } from "./filter.ts";
import { compileAny, compileQuery, parseQuery, type SearchQuery } from "./search-query.ts";
import { type Candidate, type Hit, rankHits } from "./search-rank.ts";
import { findSpellings } from "./spelling.ts";

export type { Hit } from "./search-rank.ts";

export interface SearchOptions {
  readonly text: string;
  readonly filter: SessionFilter;
  readonly limit: number;
  readonly now: Date;
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** No turn has all the words; these have most of them. */
  readonly partial: boolean;
  /** Words that were not found as typed, and what was looked for instead. */
  readonly respelt: readonly { readonly typed: string; readonly used: string }[];
}

/** More than are shown: recency and place of the match are weighed among these. */
const CANDIDATES = 200;
/** Weights of the columns: what was said, what tools did and gave back, parts of identifiers. */
const WEIGHTS = "1.0, 0.4, 0.5";

export function search(db: Database, options: SearchOptions): SearchAnswer {
  addFilterFunctions(db);
  const query = parseQuery(options.text);
  if (query.groups.length === 0) return { hits: [], partial: false, respelt: [] };
  const find = (expression: string): Candidate[] => findCandidates(db, expression, options.filter);
  const answer = (
    candidates: Candidate[],
    expression: string,
    more: Partial<SearchAnswer> = {},
  ): SearchAnswer => ({
    hits: rankHits(db, candidates, { ...options, query, expression }),
    partial: false,
    respelt: [],
    ...more,
  });

  const exact = compileQuery(query, { beginnings: false });
  const found = find(exact);
  if (found.length >= options.limit) return answer(found, exact);

  const wide = compileQuery(query, { beginnings: true });
  const wider = find(wide);
  if (wider.length > 0) return answer(merge(found, wider), wide);

  const corrected = respell(db, query);
  if (corrected) {
    const expression = compileQuery(corrected.query, { beginnings: false });
    const again = find(expression);
    if (again.length > 0) return answer(again, expression, { respelt: corrected.respelt });
  }
  if (query.groups.length === 1) return answer([], wide);
  const any = compileAny(query, { beginnings: false });
  return answer(find(any), any, { partial: true });
}

function findCandidates(db: Database, expression: string, filter: SessionFilter): Candidate[] {
  const { where, values } = compileFilter(filter);
  const among =
    where === ""
      ? ""
      : `AND rowid IN (
           SELECT t.id FROM turns t JOIN sessions s ON s.id = t.session_id WHERE ${where}
           UNION ALL
           SELECT x.id FROM search_texts x JOIN sessions s ON s.id = x.session_id WHERE ${where})`;
  return db
    .prepare(
      `SELECT rowid AS id, bm25(search_index, ${WEIGHTS}) AS score FROM search_index
       WHERE search_index MATCH ? ${among} ORDER BY score LIMIT ${CANDIDATES}`,
    )
    .all(expression, ...values, ...(where === "" ? [] : values))
    .map((row) => ({ id: Number(row.id), score: Number(row.score), exact: true }));
}

/** Exact matches keep their place before those that only begin with the words. */
function merge(exact: readonly Candidate[], wide: readonly Candidate[]): Candidate[] {
  const seen = new Set(exact.map((candidate) => candidate.id));
  return [
    ...exact,
    ...wide
      .filter((candidate) => !seen.has(candidate.id))
      .map((candidate) => ({ ...candidate, exact: false })),
  ];
}

function respell(
  db: Database,
  query: SearchQuery,
): { query: SearchQuery; respelt: { typed: string; used: string }[] } | undefined {
  const known = db.prepare("SELECT 1 FROM search_words WHERE term = ?");
  const respelt: { typed: string; used: string }[] = [];
  const groups = query.groups.map((group) =>
    group.map((term) => {
      if (term.quoted || term.tokens.length !== 1) return term;
      const word = term.tokens[0] ?? "";
      if (known.get(word.toLowerCase())) return term;
      const used = findSpellings(db, word, 1)[0];
      if (used === undefined) return term;
      respelt.push({ typed: term.typed, used });
      return { ...term, tokens: [used] };
    }),
  );
  return respelt.length === 0 ? undefined : { query: { ...query, groups }, respelt };
}
