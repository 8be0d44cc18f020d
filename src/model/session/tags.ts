/** What a tag is: a few words that a person gives sessions, to find them again by. */
import { AppError } from "../errors.ts";
import { late } from "../text/patterns.ts";
import type { SessionKey } from "../values/id.ts";

export const LONGEST_TAG = 40;
export const MOST_TAGS = 20;

export interface TaggedSession extends SessionKey {
  /** In alphabetical order. */
  readonly tags: readonly string[];
}

/** How many sessions have it. */
export interface TagCount {
  readonly tag: string;
  readonly count: number;
}

/** A comma separates tags where several are typed or named in an address. */
const forbidden = late(() => /[,\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);

/** As tags are kept: in lower case, so that "Bug" and "bug" are one; with single spaces. */
export function toTag(typed: string): string {
  const tag = typed.normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();
  if (tag === "") throw new AppError("usage", "A tag needs at least one character", "Name a tag");
  if (forbidden().test(tag))
    throw new AppError(
      "usage",
      `"${tag.replace(/[\p{Cc}\p{Cf}]/gu, "�")}" has a character that a tag cannot have`,
      "Leave out commas and control characters; name several tags one by one",
    );
  const { length } = [...tag];
  if (length > LONGEST_TAG)
    throw new AppError(
      "usage",
      `A tag has at most ${LONGEST_TAG} characters; "${[...tag].slice(0, 20).join("")}…" has ${length}`,
      "Use a shorter one",
    );
  return tag;
}

export const toTags = (typed: readonly string[]): string[] => [...new Set(typed.map(toTag))];

/** The tags of a session after a change, in alphabetical order. */
export function changeTags(
  before: readonly string[],
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): string[] {
  const kept = before.filter((tag) => !remove.includes(tag));
  return [...new Set([...kept, ...add])].sort();
}

/** Each tag with how many of these sessions have it; most first. */
export function countTags(sessions: Iterable<TaggedSession>): TagCount[] {
  const counts = new Map<string, number>();
  for (const { tags } of sessions) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
}
