/** Words about hits: where one is, what matched, and what had to be changed to find any. */

import type { Page } from "../../../../src/client/types.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { unreachableText } from "../../../../src/present/text/unreachable.ts";
import { line } from "../../lib/titles.ts";
import type { Hit } from "./search-query.ts";

export const placeOf = ({ turn, label }: Hit): string =>
  turn !== null ? `turn ${turn}` : label === null ? "about" : line(label);

/** A piece of a hit: a line of it, with what matched there. */
export interface Excerpt {
  readonly text: string;
  readonly matches: readonly { readonly start: number; readonly end: number }[];
}

/** What is known about a session is a list of lines; what was said is read as one. */
function excerptsOf({ where, snippet, matches }: Hit): Excerpt[] {
  if (where !== "session") return [{ text: snippet, matches }];
  let from = 0;
  return snippet.split("\n").map((text) => {
    const [start, end] = [from, from + text.length];
    from = end + 1;
    const inside = matches.filter((match) => match.start >= start && match.end <= end);
    return { text, matches: inside.map((match) => ({ start: match.start - start, end: match.end - start })) };
  });
}

const isTitle = (hit: Hit, { text }: Excerpt): boolean =>
  hit.where === "session" && hit.session.title.trim().startsWith(text.replace(/…$/, "").trim());

/** The title with what matched in it, where the title is a hit. */
export function titleExcerpt(hits: readonly Hit[]): Excerpt | undefined {
  for (const hit of hits) {
    const found = excerptsOf(hit).find((excerpt) => isTitle(hit, excerpt));
    if (found && !found.text.endsWith("…")) return found;
  }
  return undefined;
}

/** The rest of a hit, without the title, which is marked above it; nothing where that is all. */
export const restOf = (hit: Hit): Excerpt[] =>
  excerptsOf(hit).filter((excerpt) => !isTitle(hit, excerpt) && excerpt.text.trim() !== "");

/** The words as they were found, to be marked elsewhere. */
export const wordsOf = ({ snippet, matches }: Hit): string[] => [
  ...new Set(matches.map(({ start, end }) => snippet.slice(start, end).toLowerCase())),
];

const quoted = (words: readonly string[]): string => words.map((word) => `“${line(word)}”`).join(", ");

/** `unreachable` are people whose sessions a hub cannot search now. */
export function remarksOn({
  respelt,
  partial,
  missing,
  optional,
  unreachable,
}: Page<"search"> & { readonly unreachable?: readonly string[] }): string[] {
  const lacking = unreachableText(unreachable);
  return [
    ...(lacking === undefined ? [] : [`This is ${line(lacking)}.`]),
    ...(respelt.length > 0
      ? [
          `Nothing was found for ${quoted(respelt.map(({ typed }) => typed))}; these are for ${quoted(respelt.map(({ used }) => used))}.`,
        ]
      : []),
    ...(missing.length > 0 ? [`Nothing was found for ${quoted(missing)}.`] : []),
    ...(partial ? ["No turn has all the words; these have some."] : []),
    ...(optional.length > 0
      ? [
          `${quoted(optional)} need not be in a hit; quotation marks require ${optional.length === 1 ? "it" : "them"}.`,
        ]
      : []),
  ];
}

export const copiesText = (hits: readonly Hit[]): string | undefined => {
  const copies = new Set(hits.flatMap(({ alsoIn }) => alsoIn.map(({ source, id }) => `${source}:${id}`)))
    .size;
  return copies === 0 ? undefined : `also in ${plural(copies, "copy", "copies")}`;
};
