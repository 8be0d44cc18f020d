/** Paints or removes the marks around the matching words of a snippet. */
import { MARK } from "../../model/text/marks.ts";
import type { Paint } from "./style.ts";
import { cut, plain } from "./text.ts";

export const unmarked = (snippet: string): string =>
  snippet.replaceAll(MARK.open, "").replaceAll(MARK.close, "");

/** Where the matching words are in the snippet without its marks. */
export function matchesIn(snippet: string): { start: number; end: number }[] {
  const matches: { start: number; end: number }[] = [];
  let at = 0;
  for (const [index, piece] of snippet.split(MARK.open).entries()) {
    const [match = "", ...rest] = index === 0 ? ["", piece] : piece.split(MARK.close);
    if (match !== "") matches.push({ start: at, end: at + match.length });
    at += unmarked(match + rest.join("")).length;
  }
  return matches;
}

/** On one line, cut to a width, the matched words painted. */
export function painted(snippet: string, width: number, paint: Paint): string {
  const line = snippet.replace(/\s+/g, " ").trim();
  // Mark by mark, not word by word: the letters of a match may stand inside a word before it.
  const pieces = line.split(MARK.open).flatMap((piece, index) => {
    if (index === 0) return [{ text: plain(piece), isMatch: false }];
    const [match = "", rest = ""] = piece.split(MARK.close);
    return [
      { text: plain(match), isMatch: true },
      { text: plain(rest), isMatch: false },
    ];
  });
  const shown = cut(pieces.map(({ text }) => text).join(""), width);
  let at = 0;
  let out = "";
  for (const { text, isMatch } of pieces) {
    const visible = shown.slice(at, at + text.length);
    out += isMatch && visible !== "" ? paint(visible) : visible;
    at += text.length;
  }
  return out + shown.slice(at);
}
