/** The text of a file as its recorded changes leave it, for those who do not have the file; each line with who wrote it. */
import type { FileEdit, Hunk } from "../session/file-edit.ts";
import { applyEdit } from "./apply-edit.ts";
import { findBase } from "./base.ts";
import { createDocument, type Document } from "./document.ts";
import { oldKeys } from "./hunks.ts";
import { keyOf, NOBODY, piecesOf, toLine, toLines } from "./lines.ts";
import { findExact, findText } from "./locate.ts";

export interface KnownLine {
  readonly text: string;
  /** The number of the change that wrote it, or `NOBODY`. */
  readonly by: number;
}

export interface KnownText {
  readonly lines: readonly KnownLine[];
  /** No change tells the whole file: these are the parts that changes tell, in the order in which they did. */
  readonly isPartial: boolean;
}

/** Stands between parts of a file of which no change tells what lies between them. */
export const UNKNOWN_PART = "⋯";

/** Changes are given oldest first. */
export function replayKnown(edits: readonly FileEdit[]): KnownText {
  const isPartial = !edits.some((edit) => edit.before !== undefined || edit.does === "write");
  const document = createDocument(isPartial ? [] : findBase(edits, ""), () => undefined);
  for (const [by, edit] of edits.entries()) {
    if (isPartial) for (const part of partsBefore(edit, document)) append(document, part);
    applyEdit(document, edit, by);
  }
  const lines = document.lines().map(({ text, by }) => ({ text, by: by < 0 ? NOBODY : by }));
  // What stands behind the last line feed is no line.
  return { lines: lines.at(-1)?.text === "" ? lines.slice(0, -1) : lines, isPartial };
}

/** What a change says that the file had, and that is not among what is known of it yet. */
function partsBefore(edit: FileEdit, document: Document): string[][] {
  if (edit.does === "patch")
    return edit.hunks.filter((hunk) => !hasHunk(document, hunk)).map((hunk) => oldLines(hunk));
  if (edit.does !== "replace") return [];
  return edit.pairs
    .map(({ before }) => piecesOf(before))
    .filter((pieces) => pieces.some((piece) => piece !== "") && !hasText(document, pieces));
}

const hasHunk = (document: Document, hunk: Hunk): boolean => {
  const keys = oldKeys(hunk);
  return keys.length === 0 || findExact(document.lines(), keys, hunk.start) !== undefined;
};

const hasText = (document: Document, pieces: readonly string[]): boolean =>
  findText(document.lines(), pieces, ({ text }) => text).length > 0 ||
  findText(document.lines(), pieces.map(keyOf), ({ key }) => key).length > 0;

const oldLines = ({ lines }: Hunk): string[] =>
  lines.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));

function append(document: Document, part: readonly string[]): void {
  const end = document.lines().length;
  const gap = end === 0 ? [] : [toLine(UNKNOWN_PART, NOBODY)];
  document.put(end, 0, [...gap, ...toLines(part.join("\n"), NOBODY)]);
}
