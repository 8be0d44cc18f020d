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
import { choosePlaces } from "./text-places.ts";

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
  if (before !== undefined && first && placesOf(document.lines(), first, by).places.length === 0)
    document.follow(before);
  for (const pair of pairs) {
    const lines = document.lines();
    if (pair.before === "") {
      if (isBlank(lines)) document.put(0, lines.length, toLines(pair.after, by));
      else document.unplaced(toLines(pair.after, by));
      continue;
    }
    const { places, of, isDoubtful } = placesOf(lines, pair, by);
    // From the end, so that those before stay where they are.
    for (const place of places.toReversed()) putText(document, place, pair.after, by, of);
    if (places.length > 0) continue;
    const [old, fresh] = [piecesOf(pair.before), toLines(pair.after, by)];
    // A part of one line may be a part of another one now, whoever wrote the rest.
    const isFragment = old.length === 1 && fresh.length === 1;
    if (isDoubtful || isFragment) document.unplaced(fresh, isFragment);
    else applyHunk(document, toHunk(old, piecesOf(pair.after)), by);
  }
}

interface Places {
  readonly places: readonly TextPlace[];
  readonly of: (line: Line) => string;
  /** It stands there, but nothing tells that it is the text that was meant. */
  readonly isDoubtful: boolean;
}

/** Where the text stands that is to be replaced: word for word, or else in all that counts of its lines. */
function placesOf(lines: readonly Line[], { before, all = false }: Replacement, by: number): Places {
  const pieces = piecesOf(before);
  const exact = findText(lines, pieces, textOf);
  const [of, found] =
    exact.length > 0 ? [textOf, exact] : [wordsOf, findText(lines, pieces.map(keyOf), wordsOf)];
  const places = choosePlaces(found, { lines, pieces, of, all, by });
  return { places, of, isDoubtful: places.length === 0 && found.length > 0 };
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
