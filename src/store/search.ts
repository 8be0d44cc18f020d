/** Answers a search: the words themselves, then their forms and beginnings, then other spellings, then most of them. */
import type { Database } from "../platform/sqlite.ts";
import type { SessionFilter } from "./filter.ts";
import { type Candidate, findCandidates, findNewest } from "./search-find.ts";
import { type Hit, type HitOptions, toHits } from "./search-hits.ts";
import {
  compileQuery,
  parseQuery,
  type SearchQuery,
  type Term,
  withoutLittleWords,
  withoutShortBeginnings,
} from "./search-query.ts";
import { openScope, type Scope } from "./search-scope.ts";
import { findSome } from "./search-some.ts";
import { keepMatching } from "./search-verify.ts";
import { type Respelling, respell, takeApart, widen } from "./search-widen.ts";

export type { Hit } from "./search-hits.ts";

export interface SearchOptions extends HitOptions {
  readonly text: string;
  readonly filter: SessionFilter;
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** No turn has all the words; these have most of them. */
  readonly partial: boolean;
  /** Words that were not found as typed, and what was looked for instead. */
  readonly respelt: readonly Respelling[];
  /** Words that stand nowhere, in no spelling. */
  readonly missing: readonly string[];
}

/** With so many exact hits nobody asks what else the words could have meant. */
const ENOUGH = 5;
/** What was only found by another form or a longer word counts less than what was typed. */
const NEARLY = 0.6;
/** More than are shown: recency, place and closeness are weighed among these. */
const reach = (limit: number): number => Math.max(100, limit * 3);

/** So many texts are looked through for what the index cannot tell. */
const LOOKED_AT = 1000;

export function search(db: Database, options: SearchOptions): SearchAnswer {
  const query = withoutLittleWords(parseQuery(options.text));
  const nothing = { hits: [], partial: false, respelt: [], missing: [] };
  if (query.groups.length === 0) return nothing;
  const scope = openScope(db, options.filter);
  const answer = (wanted: SearchQuery, found: readonly Candidate[]): SearchAnswer => ({
    ...nothing,
    hits: toHits(db, wanted, found, options),
  });

  const exact = findAll(db, query, scope, options);
  if (exact.length >= Math.min(ENOUGH, options.limit)) return answer(query, exact);
  const { wide, isWider, unknown } = widen(db, query);
  const found = merge(exact, isWider && !isHopeless(wide, unknown) ? findAll(db, wide, scope, options) : []);
  if (found.length > 0) return answer(wide, found);

  const { corrected, respelt } = respell(db, wide, unknown);
  const again = respelt.length > 0 ? findAll(db, corrected, scope, options) : [];
  if (again.length > 0) return { ...answer(corrected, again), respelt };
  const apart = takeApart(corrected, unknown);
  const some = apart.groups.length > 1 ? findMost(db, apart, scope, options) : [];
  const missing = [...unknown].map(({ typed }) => typed).filter((word) => !isRespelt(word, respelt));
  return some.length > 0 ? { ...answer(apart, some), partial: true, respelt, missing } : nothing;
}

const isRespelt = (word: string, respelt: readonly Respelling[]): boolean =>
  respelt.some(({ typed }) => typed === word);

/** Rows with all of the words, said by whoever was asked for. */
function findAll(
  db: Database,
  query: SearchQuery,
  scope: Scope,
  { role, limit }: SearchOptions,
): Candidate[] {
  const loose = withoutShortBeginnings(query);
  const find = (wanted: SearchQuery, most: number): Candidate[] =>
    findCandidates(db, { expression: compileQuery(wanted), scope, role, limit: most });
  if (role === undefined && loose === query) return find(query, reach(limit));
  const candidates = loose.groups.length > 0 ? find(loose, LOOKED_AT) : findNewest(db, scope, LOOKED_AT);
  const kept = keepMatching(db, candidates, query, { role, need: "all", limit: reach(limit) });
  // A beginning that is not among the newest stands in few rows, so that the index finds it at once.
  if (kept.length > 0 || loose === query || candidates.length < LOOKED_AT) return kept;
  return keepMatching(db, find(query, LOOKED_AT), query, { role, need: "all", limit: reach(limit) });
}

function findMost(
  db: Database,
  query: SearchQuery,
  scope: Scope,
  { role, limit }: SearchOptions,
): Candidate[] {
  const some = findSome(db, query, scope, reach(limit));
  return role === undefined
    ? some
    : keepMatching(db, some, query, { role, need: "any", limit: reach(limit) });
}

/** Some group has no term that stands anywhere. */
const isHopeless = (query: SearchQuery, unknown: ReadonlySet<Term>): boolean =>
  query.groups.some((group) => group.every((term) => unknown.has(term)));

/** What matches exactly comes first; scores of different questions do not compare, so the others start below it. */
function merge(exact: readonly Candidate[], wide: readonly Candidate[]): Candidate[] {
  const seen = new Set(exact.map((candidate) => candidate.id));
  const others = wide.filter(({ id }) => !seen.has(id));
  if (exact.length === 0) return others;
  const least = Math.min(...exact.map(({ score }) => score));
  const most = Math.max(...others.map(({ score }) => score));
  const scale = most > 0 ? (least / most) * NEARLY : 1;
  return [...exact, ...others.map((other) => ({ ...other, score: other.score * scale }))];
}
