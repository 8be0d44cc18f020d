/** Splits a text where a terminal broke its lines, because they were longer than the window is wide. */
import type { Piece } from "./borders.ts";

/** A part of the text without the break behind it. */
export interface WrappedPiece extends Piece {
  readonly at: number;
}

/** Narrower windows are rare, and wider ones break few secrets. */
const NARROWEST = 60;
const WIDEST = 260;

/**
 * In such a text no line is longer than the window, and those that go on in the next are exactly as long. A single longest
 * line may be no such one; whether something runs over its end is up to the caller.
 */
export function splitWrapped(text: string): WrappedPiece[] {
  const width = widthOf(text);
  if (width === 0) return [];
  const pieces: WrappedPiece[] = [];
  let from = 0;
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const to = contentEnd(text, start, end);
    if (to - start === width && end < text.length) {
      pieces.push({ at: from, text: text.slice(from, to), isItem: false });
      from = end + 1;
    }
    start = end + 1;
  }
  pieces.push({ at: from, text: text.slice(from), isItem: false });
  return pieces;
}

/** The length of the longest line, or 0 where no window would be so wide. */
function widthOf(text: string): number {
  let longest = 0;
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const length = contentEnd(text, start, end) - start;
    if (length > WIDEST) return 0;
    if (length > longest) longest = length;
    start = end + 1;
  }
  return longest < NARROWEST ? 0 : longest;
}

const endOfLine = (text: string, start: number): number => {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
};
const contentEnd = (text: string, start: number, end: number): number =>
  end > start && text[end - 1] === "\r" ? end - 1 : end;
