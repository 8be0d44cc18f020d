/** Carries a change of any kind out on a file that is followed. */
import type {
  FileEdit,
  PatchEdit,
  ReplaceEdit,
  Replacement,
  SpliceEdit,
  WriteEdit,
} from "../session/file-edit.ts";
import type { Document } from "./document.ts";
import { applyHunk, isBlank, oldKeys, toHunk } from "./hunks.ts";
import { keyOf, type Line, piecesOf, toLines } from "./lines.ts";
import { findExact, findText, type TextPlace } from "./locate.ts";

/** `by` is the number of the change. */
export function applyEdit(document: Document, edit: FileEdit, by: number): void {
  if (edit.does === "write") write(document, edit, by);
  else if (edit.does === "replace") replace(document, edit, by);
  else if (edit.does === "patch") patch(document, edit, by);
  else if (edit.does === "splice") splice(document, edit, by);
  else if (edit.does === "delete") document.put(0, document.lines().length, []);
  else if (edit.does === "fragment") for (const text of edit.texts) document.unplaced(toLines(text, by));
  // After a move the file says what it said.
}

function write(document: Document, { text, isNew, before }: WriteEdit, by: number): void {
  if (isNew) {
    document.put(0, document.lines().length, toLines(text, by));
    return;
  }
  if (before === undefined) document.claimGuessed(by);
  else document.follow(before);
  document.rewrite(0, document.lines().length, piecesOf(text), by);
}

function replace(document: Document, { pairs, before }: ReplaceEdit, by: number): void {
  const [first] = pairs;
  if (before !== undefined && first && placesOf(document.lines(), first).places.length === 0)
    document.follow(before);
  for (const pair of pairs) {
    const lines = document.lines();
    if (pair.before === "") {
      if (isBlank(lines)) document.put(0, lines.length, toLines(pair.after, by));
      else document.unplaced(toLines(pair.after, by));
      continue;
    }
    const { places, of } = placesOf(lines, pair);
    // From the end, so that those before stay where they are.
    for (const place of places.toReversed()) putText(document, place, pair.after, by, of);
    if (places.length === 0) applyHunk(document, toHunk(piecesOf(pair.before), piecesOf(pair.after)), by);
  }
}

/** Where the text stands that is to be replaced: word for word, or else in all that counts of its lines. */
function placesOf(
  lines: readonly Line[],
  { before, all }: Replacement,
): { readonly places: readonly TextPlace[]; readonly of: (line: Line) => string } {
  const most = all ? Number.POSITIVE_INFINITY : 1;
  const pieces = piecesOf(before);
  const exact = findText(lines, pieces, textOf, most);
  if (exact.length > 0) return { places: exact, of: textOf };
  return { places: findText(lines, pieces.map(keyOf), wordsOf, most), of: wordsOf };
}

const textOf = ({ text }: Line): string => text;
const wordsOf = ({ key }: Line): string => key;

function putText(
  document: Document,
  place: TextPlace,
  text: string,
  by: number,
  of: (line: Line) => string = textOf,
): void {
  const [first, last] = [document.lines()[place.line], document.lines()[place.line + place.lines - 1]];
  const head = first ? of(first).slice(0, place.column) : "";
  const tail = last ? of(last).slice(place.endColumn) : "";
  document.rewrite(place.line, place.lines, piecesOf(head + text + tail), by);
}

function patch(document: Document, { hunks, before }: PatchEdit, by: number): void {
  const isThere = hunks.every((hunk) => {
    const keys = oldKeys(hunk);
    return keys.length === 0 || findExact(document.lines(), keys, hunk.start) !== undefined;
  });
  if (before !== undefined && !isThere) document.follow(before);
  let shift = 0;
  for (const hunk of hunks) shift += applyHunk(document, hunk, by, shift);
}

function splice(document: Document, { steps, before }: SpliceEdit, by: number): void {
  if (before !== undefined) document.follow(before);
  // From the end, so that those before stay where they are.
  for (const step of steps)
    for (const { startLine, startColumn, endLine, endColumn, text } of step.toSorted(fromEnd)) {
      const most = Math.max(document.lines().length - 1, 0);
      const line = Math.min(startLine - 1, most);
      const last = Math.min(Math.max(endLine - 1, line), most);
      const place = { line, lines: last - line + 1, column: startColumn - 1, endColumn: endColumn - 1 };
      putText(document, place, text, by);
    }
}

const fromEnd = (
  a: { readonly startLine: number; readonly startColumn: number },
  b: { readonly startLine: number; readonly startColumn: number },
): number => b.startLine - a.startLine || b.startColumn - a.startColumn;
