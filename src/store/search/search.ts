/** Answers a search: the words themselves, then their forms and beginnings, then other spellings, then most of them. */
import type { SessionFacets } from "../../model/session/facets.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { countFacets } from "../facets.ts";
import type { SessionFilter } from "../filter.ts";
import { findAll, findMost } from "./all.ts";
import { withoutInherited } from "./copies.ts";
import type { Candidate } from "./find.ts";
import { type Hit, type HitOptions, toHits } from "./hits.ts";
import { parseQuery, type SearchQuery, type Term, withoutInside, withoutLittleWords } from "./query.ts";
import { openScope } from "./scope.ts";
import { type Respelling, respell, takeApart, widen } from "./widen.ts";

export type { Hit } from "./hits.ts";

export interface SearchOptions extends HitOptions {
  readonly text: string;
  readonly filter: SessionFilter;
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** There are others beyond the limit. */
  readonly isMore: boolean;
  /** No turn has all the words; these have most of them. */
  readonly partial: boolean;
  /** Words that were not found as typed, and what was looked for instead. */
  readonly respelt: readonly Respelling[];
  /** Words that stand nowhere, in no spelling. */
  readonly missing: readonly string[];
  /** Words so common that they need not be there. */
  readonly optional: readonly string[];
}

/** With this many exact hits, the query is not widened. */
export const ENOUGH = 5;

export function search(db: Database, options: SearchOptions): SearchAnswer {
  const { query, found, ...answer } = findRows(db, options);
  return { ...answer, hits: toHits(db, query, found, options), isMore: found.length > options.limit };
}

/** So many of the best turns, and as many other texts, are counted. */
export const COUNTED = 1000;

/** How many of the sessions with hits are of which source, repository and so on. */
export const searchFacets = (db: Database, options: SearchOptions): SessionFacets =>
  countFacets(db, options.filter, (filter) => {
    const { found } = findRows(db, { ...options, filter, limit: COUNTED });
    return { ids: [...new Set(found.map(({ session }) => session))] };
  });

interface FoundRows extends Omit<SearchAnswer, "hits" | "isMore"> {
  /** As it was asked in the end. */
  readonly query: SearchQuery;
  readonly found: readonly Candidate[];
}

/** What is looked for, and the answer to it where nothing is found. */
export function readQuestion(text: string) {
  const typed = parseQuery(text);
  const query = withoutLittleWords(typed);
  const optional = typed.groups.filter((group) => !query.groups.includes(group)).flat();
  const nothing = {
    ...{ query, found: [], partial: false, respelt: [], missing: [] },
    optional: [...new Set(optional.map((term) => term.typed))],
  };
  return { typed, query, nothing };
}

function findRows(db: Database, options: SearchOptions): FoundRows {
  const { typed, query, nothing } = readQuestion(options.text);
  if (query.groups.length === 0) return nothing;
  const scope = openScope(db, options.filter);
  if (!scope) return nothing;
  const find = (wanted: SearchQuery): readonly Candidate[] =>
    withoutInherited(db, findAll(db, wanted, scope, { ...options, typed }));

  const outside = withoutInside(query);
  const exact = find(outside);
  if (exact.length >= Math.min(ENOUGH, options.limit)) return { ...nothing, found: exact };
  const { wide, isWider, unknown } = widen(db, query);
  const mayBeWider = (isWider || outside !== query) && !isHopeless(wide, unknown);
  const found = merge(exact, mayBeWider ? find(wide) : []);
  if (found.length > 0) return { ...nothing, query: wide, found };

  const { corrected, respelt } = respell(db, wide, unknown);
  const again = respelt.length > 0 ? find(corrected) : [];
  if (again.length > 0) return { ...nothing, query: corrected, found: again, respelt };
  const apart = takeApart(corrected, unknown);
  const some = apart.groups.length > 1 ? withoutInherited(db, findMost(db, apart, scope, options)) : [];
  const missing = [...unknown].map(({ typed: word }) => word).filter((word) => !isRespelt(word, respelt));
  return some.length > 0
    ? { ...nothing, query: apart, found: some, partial: true, respelt, missing }
    : nothing;
}

export const isRespelt = (word: string, respelt: readonly Respelling[]): boolean =>
  respelt.some(({ typed }) => typed === word);

/** Some group has no term that stands anywhere. */
export const isHopeless = (query: SearchQuery, unknown: ReadonlySet<Term>): boolean =>
  query.groups.some((group) => group.every((term) => unknown.has(term)));

/** What matches as it was typed, and what only matches nearly. */
export function merge(exact: readonly Candidate[], wide: readonly Candidate[]): Candidate[] {
  const seen = new Set(exact.map((candidate) => candidate.id));
  return [...exact, ...wide.filter(({ id }) => !seen.has(id)).map((other) => ({ ...other, isNear: true }))];
}
