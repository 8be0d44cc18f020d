/** Session keys such as "claude-code:0b1c…": formatting, parsing, and matching by any unique start. */
import type { SourceId } from "../session/session.ts";

export interface SessionKey {
  readonly source: SourceId;
  readonly id: string;
}

export const formatKey = (key: SessionKey): string => `${key.source}:${key.id}`;

/**
 * Enough of an id to type: the first eight digits of one that is random there, the time of one that begins with that
 * (UUIDs of version 7), all of any other.
 */
export function shortId(id: string): string {
  if (!/^[0-9a-f]{8}-/i.test(id)) return id;
  return /^.{8}-[0-9a-f]{4}-7/i.test(id) ? id.slice(0, 13) : id.slice(0, 8);
}

/**
 * How well a typed name matches an existing one, lower is better: exact, exact except for case, a prefix, a prefix
 * except for case.
 */
export function rankStart(typed: string, name: string): number | undefined {
  if (typed === "") return undefined;
  if (name === typed) return 0;
  const [wanted, lower] = [typed.toLowerCase(), name.toLowerCase()];
  if (lower === wanted) return 1;
  if (name.startsWith(typed)) return 2;
  return lower.startsWith(wanted) ? 3 : undefined;
}

/** The items that fit best, all of the same rank. */
export function bestOf<T>(items: readonly T[], rank: (item: T) => number | undefined): T[] {
  let lowest = Number.POSITIVE_INFINITY;
  let winners: T[] = [];
  for (const item of items) {
    const value = rank(item);
    if (value === undefined || value > lowest) continue;
    if (value < lowest) winners = [];
    lowest = value;
    winners.push(item);
  }
  return winners;
}

/** By what `rankStart` says of the id or the title: whole names come before starts, and ids before titles. */
const RANKS = { id: [0, 1, 4, 5], title: [2, 3, 6, 7], part: 8 } as const;

/** `source:rest`, where the source is one of those that are known. */
export function splitQualified(
  name: string,
  sources: readonly string[],
): { readonly source: string | undefined; readonly rest: string } {
  const colon = name.indexOf(":");
  const source = colon > 0 ? name.slice(0, colon) : undefined;
  return source !== undefined && sources.includes(source)
    ? { source, rest: name.slice(colon + 1) }
    : { source: undefined, rest: name };
}

/** How well a name fits a session; lower is better, undefined is no fit. */
export function matchName(
  name: string,
  session: SessionKey & { title: string },
  sources: readonly string[],
): number | undefined {
  const { source, rest: wanted } = splitQualified(name, sources);
  if (source !== undefined && session.source !== source) return undefined;
  const [id, title] = [rankStart(wanted, session.id), rankStart(wanted, session.title)];
  const ranks = [
    ...(id === undefined ? [] : [RANKS.id[id] ?? 0]),
    ...(title === undefined ? [] : [RANKS.title[title] ?? 0]),
    ...(wanted.length >= 3 && session.title.includes(wanted) ? [RANKS.part] : []),
    ...(wanted.length >= 3 && session.title.toLowerCase().includes(wanted.toLowerCase())
      ? [RANKS.part + 1]
      : []),
  ];
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}
