/** Answers a search: the words themselves, then their forms and beginnings, then other spellings, then most of them. */
import type { Database } from "../platform/sqlite.ts";
import { addFilterFunctions, type SessionFilter } from "./filter.ts";
import { type Candidate, findCandidates } from "./search-find.ts";
import { compileQuery, parseQuery, type SearchQuery, type Term, withoutLittleWords } from "./search-query.ts";
import { byScore, readHit, spreadOut, weighPlaces } from "./search-rank.ts";
import { type HitSession, readSessions, readTexts } from "./search-rows.ts";
import { findSome } from "./search-some.ts";
import { hasShortBeginning, type Respelling, respell, takeApart, widen } from "./search-widen.ts";
import { makeSnippet } from "./snippet.ts";
import { createMatcher } from "./text-match.ts";

export interface Hit {
  readonly session: HitSession;
  /** Missing when the words stand in the title, a path or a checkpoint. */
  readonly turn?: number;
  /** "turn", "session" (title, folder, files) or a section of a checkpoint. */
  readonly where: string;
  /** With marks around the words that matched. */
  readonly snippet: string;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
}

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
  readonly respelt: readonly Respelling[];
}

/** With so many exact hits nobody asks what else the words could have meant. */
const ENOUGH = 5;
/** What was only found by another form or a longer word counts less than what was typed. */
const NEARLY = 0.6;
/** More than are shown: recency, place and closeness are weighed among these. */
const reach = (limit: number): number => Math.max(100, limit * 3);
/** Texts are read of some more than are shown, since that may change their order. */
const READ = 1.5;

export function search(db: Database, options: SearchOptions): SearchAnswer {
  const { filter, limit } = options;
  if (Object.keys(filter).length > 0) addFilterFunctions(db);
  const query = withoutLittleWords(parseQuery(options.text));
  if (query.groups.length === 0) return { hits: [], partial: false, respelt: [] };
  const find = (wanted: SearchQuery): Candidate[] =>
    findCandidates(db, {
      expression: compileQuery(wanted),
      filter,
      limit: reach(limit),
      unranked: hasShortBeginning(wanted),
    });

  const exact = find(query);
  if (exact.length >= Math.min(ENOUGH, limit)) return answer(db, options, query, exact);
  const { wide, isWider, unknown } = widen(db, query);
  const found = merge(exact, isWider && !isHopeless(wide, unknown) ? find(wide) : []);
  if (found.length > 0) return answer(db, options, wide, found);

  const { corrected, respelt } = respell(db, wide, unknown);
  const again = respelt.length > 0 ? find(corrected) : [];
  if (again.length > 0) return { ...answer(db, options, corrected, again), respelt };
  const apart = takeApart(corrected, unknown);
  if (apart.groups.length === 1) return { hits: [], partial: false, respelt: [] };
  const some = findSome(db, apart, filter, reach(limit));
  return { ...answer(db, options, apart, some), partial: some.length > 0, respelt };
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

function answer(
  db: Database,
  { limit, now }: SearchOptions,
  query: SearchQuery,
  candidates: readonly Candidate[],
): SearchAnswer {
  const promising = spreadOut(weighPlaces(candidates, now), Math.ceil(limit * READ));
  const texts = readTexts(
    db,
    promising.map(({ id }) => id),
  );
  const match = createMatcher(query.groups);
  const read = promising.flatMap((each) => {
    const text = texts.get(each.id);
    return text ? [readHit(each, text, match)] : [];
  });
  const shown = spreadOut(read.sort(byScore), limit);
  const sessions = readSessions(db, [...new Set(shown.map((hit) => hit.session))]);
  const hits = shown.flatMap((hit): Hit[] => {
    const session = sessions.get(hit.session);
    if (!session) return [];
    return [
      {
        session,
        where: hit.where,
        snippet: makeSnippet(hit.text, hit.groups),
        score: hit.score,
        ...(hit.turn !== undefined && { turn: hit.turn }),
      },
    ];
  });
  return { hits, partial: false, respelt: [] };
}
