/** Snippets carry marks around the words that matched; a terminal paints them, everybody else gets plain text. */
import { MARK } from "../../model/marks.ts";
import type { Paint } from "./style.ts";
import { cut, plain } from "./text.ts";

const PIECES = new RegExp(`${MARK.open}([^${MARK.close}]*)${MARK.close}`, "g");

export const unmarked = (snippet: string): string =>
  snippet.replaceAll(MARK.open, "").replaceAll(MARK.close, "");

/** On one line, cut to a width, the matched words painted. */
export function painted(snippet: string, width: number, paint: Paint): string {
  const line = snippet.replace(/\s+/g, " ").trim();
  const words = [...line.matchAll(PIECES)].map((match) => match[1] ?? "");
  const shown = cut(plain(unmarked(line)), width);
  // The same words in the same order, so that only what matched is painted.
  let rest = shown;
  let out = "";
  for (const word of words) {
    const at = rest.indexOf(word);
    if (word === "" || at < 0) continue;
    out += rest.slice(0, at) + paint(word);
    rest = rest.slice(at + word.length);
  }
  return out + rest;
}
