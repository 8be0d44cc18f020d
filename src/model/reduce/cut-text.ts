/** Shortens long texts in the middle, with a note that says how to read the whole text. */

import { shellLine } from "../text/shell-words.ts";
import { MAX_DEPTH, writeJson } from "../values/json.ts";

/** What stands in place of that which was cut. */
export type Note = (characters: number, turn: number) => string;

export const toNote =
  (id: string): Note =>
  (characters, turn) =>
    `[… ${characters} characters left out; all of it: ${shellLine`rethread show ${id}`}${turn >= 0 ? ` --turn ${turn}` : ""} --full …]`;

/**
 * The beginning and, as errors and results tend to stand there, the end. Of a text that is only held by its two ends, the
 * length is told.
 */
export function cutText(
  text: string,
  limit: number,
  note: (characters: number) => string,
  length: number = text.length,
): string {
  if (length <= limit) return text;
  const said = note(length - limit);
  if (!isWorthCutting(length, limit, said)) return text;
  const tail = Math.floor(limit / 3);
  return `${text.slice(0, limit - tail).toWellFormed()}\n${said}\n${text.slice(text.length - tail).toWellFormed()}`;
}

/** Whether what would stand for a text of this length is shorter than it. */
const isWorthCutting = (length: number, limit: number, note: string): boolean =>
  limit + note.length + 2 < length;

/** Whether a text of this length would be cut. */
export const isCut = (length: number, limit: number, note: (characters: number) => string): boolean =>
  length > limit && isWorthCutting(length, limit, note(length - limit));

/** What a call was given stays what it is: an object, the JSON of one, or the text that a grammar takes. */
export function shortenInput(given: unknown, brief: (text: string) => string): unknown {
  if (typeof given !== "string") return shortenStrings(given, brief);
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch {
    return brief(given); // plain text
  }
  const short = shortenStrings(parsed, brief);
  return short === parsed ? given : writeJson(short);
}

/** The same object when no string in it is long. What is nested very deeply stays as it is. */
export function shortenStrings(
  value: unknown,
  brief: (text: string) => string,
  levels: number = MAX_DEPTH,
): unknown {
  if (typeof value === "string") return brief(value);
  if (typeof value !== "object" || value === null || levels === 0) return value;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  const short = entries.map(([key, each]) => [key, shortenStrings(each, brief, levels - 1)] as const);
  if (short.every(([, each], index) => each === entries[index]?.[1])) return value;
  return Array.isArray(value) ? short.map(([, each]) => each) : Object.fromEntries(short);
}
