/** Ranks rows by relevance, recency, and where and how close together the words are. Pure. */
import type { Candidate } from "./find.ts";
import type { RowText } from "./rows.ts";
import { closest } from "./snippet.ts";
import type { Matcher, Span } from "./text-match.ts";

/** A match in the title says more than one in the text, a match in the question more than one in the answer. */
const BOOST = { session: 1.6, checkpoint: 0.9, question: 1.25 };
/** What words side by side gain over words far apart, and after how many letters between them half of it is gone. */
const CLOSE = { gain: 0.5, half: 40 };
/** After this many days a session counts half as fresh. */
const FRESH = { gain: 0.35, halfLifeDays: 45 };

/** By what is known without reading the text. */
export function weighPlaces(candidates: readonly Candidate[], now: Date): Candidate[] {
  return candidates
    .map((row) => {
      const place = row.where === "turn" ? 1 : row.where === "session" ? BOOST.session : BOOST.checkpoint;
      return { ...row, score: row.score * place * (1 + FRESH.gain * freshness(row.updatedAt, now)) };
    })
    .sort(byScore);
}

function freshness(updatedAt: string | undefined, now: Date): number {
  if (updatedAt === undefined) return 0;
  const days = (now.getTime() - Date.parse(updatedAt)) / 86_400_000;
  return 0.5 ** (Math.max(0, days) / FRESH.halfLifeDays);
}

/** What has the words as they were typed comes first; scores of different questions do not compare. */
export const byScore = (a: Candidate, b: Candidate): number =>
  Number(a.isNear ?? false) - Number(b.isNear ?? false) || b.score - a.score || b.id - a.id;

/** The session that was active last comes first, and in it what was said last. */
export const byActivity = (a: Candidate, b: Candidate): number =>
  compare(b.updatedAt ?? "", a.updatedAt ?? "") || compare(a.session, b.session) || b.id - a.id;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export interface Read extends Candidate {
  /** The text of the row that says most of what was asked, and where the words stand in it. */
  readonly text: string;
  readonly groups: readonly (readonly Span[])[];
  readonly turn?: number;
  readonly time?: string;
}

/** No longer texts are looked through: a match far down a pasted log neither raises nor explains a hit. */
const READ = 60_000;
/** A file beside the log is looked through as far as it is searchable. */
const READ_FILE = 256 << 10;

export function readHit(scored: Candidate, text: RowText, match: Matcher): Read {
  const most = scored.label === undefined ? READ : READ_FILE;
  const places = [text.user, text.answer, text.more].map((each) => {
    const shown = each.length > most ? each.slice(0, most) : each;
    const groups = match(shown);
    return { text: shown, groups, count: groups.filter((spans) => spans.length > 0).length };
  });
  // The first that has most of the words: a question explains itself better than an answer.
  const best = places.reduce((most, place) => (place.count > most.count ? place : most));
  const isWhole = best.count === best.groups.length;
  const asked = isWhole && best === places[0] ? BOOST.question : 1;
  return {
    ...scored,
    text: best.text || text.answer,
    groups: best.groups,
    score: scored.score * asked * (isWhole ? 1 + CLOSE.gain * closeness(best.groups) : 1),
    ...(text.turn !== undefined && { turn: text.turn }),
    ...(text.time !== undefined && { time: text.time }),
  };
}

/** 1 when the words stand side by side, in any order; next to 0 when they are paragraphs apart. */
function closeness(groups: readonly (readonly Span[])[]): number {
  if (groups.length < 2) return 0;
  const spans = closest(groups);
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return 0;
  const between = last.end - first.start - spans.reduce((sum, span) => sum + span.end - span.start, 0);
  return 0.5 ** (Math.max(0, between) / CLOSE.half);
}

/** Of one session so many hits come before others had their turn; the rest follows if there is room. */
const OF_A_SESSION = 3;

export function spreadOut<T extends Candidate>(hits: readonly T[], limit: number): T[] {
  const seen = new Map<string, number>();
  const places = new Map(
    hits.map((hit) => {
      const count = (seen.get(hit.session) ?? 0) + 1;
      seen.set(hit.session, count);
      return [hit, count > OF_A_SESSION] as const;
    }),
  );
  const take = (isNear: boolean, isLater: boolean): T[] =>
    hits.filter((hit) => (hit.isNear ?? false) === isNear && places.get(hit) === isLater);
  return [take(false, false), take(false, true), take(true, false), take(true, true)].flat().slice(0, limit);
}
