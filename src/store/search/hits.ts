/** Turns found rows into the list of hits. */
import type { Role } from "../../model/session/role.ts";
import type { SearchOrder } from "../../model/session/search-order.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { type AlsoIn, findAlsoIn } from "./copies.ts";
import type { Candidate } from "./find.ts";
import type { SearchQuery } from "./query.ts";
import { byActivity, byScore, type Read, readHit, spreadOut, weighPlaces } from "./rank.ts";
import { type HitSession, type RowText, readSessions, readTexts } from "./rows.ts";
import { makeSnippet, snippetOfLines } from "./snippet.ts";
import { createMatcher, type Matcher } from "./text-match.ts";

export interface Hit {
  readonly session: HitSession;
  /** Missing when the words stand in the title, a path, a checkpoint or a file beside the log. */
  readonly turn?: number;
  /** When that turn was asked (ISO 8601). */
  readonly time?: string;
  /** "turn", "session" (title, folder, files), a section of a checkpoint, or "workspace_artifact" (a file beside the log). */
  readonly where: string;
  /** What it is in beside the log: `checkpoint 2`, `plan.md`, `files/notes.md`. */
  readonly label?: string;
  /** With marks around the words that matched. */
  readonly snippet: string;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  /** Forks and clones that have the same turn, or what they came from. */
  readonly alsoIn?: readonly AlsoIn[];
}

export interface HitOptions {
  readonly role?: Role;
  readonly limit: number;
  readonly now: Date;
  readonly sort?: SearchOrder;
}

/** Texts are read of some more than are shown, since that may change their order. */
const READ = 1.5;

/** Those that may be shown, judged by what is known without their texts. */
export const promisingOf = (
  candidates: readonly Candidate[],
  { limit, now, sort }: HitOptions,
): readonly Candidate[] =>
  sort === "newest"
    ? candidates.toSorted(byActivity).slice(0, limit)
    : spreadOut(weighPlaces(candidates, now), Math.ceil(limit * READ));

/** The best of them, now that their texts are known. */
export function chooseHits(
  promising: readonly Candidate[],
  texts: ReadonlyMap<number, RowText>,
  match: Matcher,
  { limit, sort }: HitOptions,
): readonly Read[] {
  const read = promising.flatMap((each) => {
    const text = texts.get(each.id);
    return text ? [readHit(each, text, match)] : [];
  });
  return sort === "newest" ? read : spreadOut(read.sort(byScore), limit);
}

export function toHits(
  db: Database,
  query: SearchQuery,
  candidates: readonly Candidate[],
  options: HitOptions,
): Hit[] {
  const promising = promisingOf(candidates, options);
  const texts = readTexts(
    db,
    promising.map(({ id }) => id),
    options.role,
  );
  const match = createMatcher(query.groups);
  const shown = chooseHits(promising, texts, match, options);
  const sessions = readSessions(db, [...new Set(shown.map((hit) => hit.session))]);
  const alsoIn = findAlsoIn(
    db,
    shown.flatMap(({ session, turn }) => (turn === undefined ? [] : [{ session, turn }])),
  );
  return shown.flatMap((hit): Hit[] => {
    const session = sessions.get(hit.session);
    const others = hit.turn === undefined ? [] : alsoIn(hit.session, hit.turn);
    return session ? [toHit(hit, session, match, others)] : [];
  });
}

export function toHit<S extends HitSession>(
  { where, label, text, groups, score, turn, time }: Read,
  session: S,
  match: Matcher,
  others: readonly AlsoIn[],
): Hit & { readonly session: S } {
  const snippet =
    where === "session"
      ? snippetOfLines(withoutFolder(text, session.workspace), match)
      : makeSnippet(text, groups);
  return {
    session,
    where,
    snippet,
    score,
    ...(turn !== undefined && { turn }),
    ...(time !== undefined && { time }),
    ...(label !== undefined && { label }),
    ...(others.length > 0 && { alsoIn: others }),
  };
}

/** A title and paths: files are known by their place below the folder that stands before all of them. */
const withoutFolder = (text: string, folder: string | undefined): string =>
  folder === undefined ? text : text.replaceAll(`\n${folder}/`, "\n");
