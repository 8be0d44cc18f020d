/** The file as it was before the first change that is known: recorded with a change, or found by undoing them. */
import type { FileEdit, Hunk, SpliceEdit } from "../session/file-edit.ts";
import { applyEdit } from "./apply-edit.ts";
import { createDocument, type Document } from "./document.ts";
import { inverted } from "./hunks.ts";
import { GUESSED, type Line, NOBODY, piecesOf, toLines, UNDONE } from "./lines.ts";

/** `now` is the file as it is; `edits` are its changes, the oldest first. */
export function findBase(edits: readonly FileEdit[], now: string): readonly Line[] {
  const from = edits.findIndex((edit) => edit.before !== undefined || edit.does === "write");
  const document = createDocument(from < 0 ? toLines(now, GUESSED) : startOf(edits[from]), () => undefined);
  for (let at = (from < 0 ? edits.length : from) - 1; at >= 0; at--) undo(document, edits[at] as FileEdit);
  return document.lines();
}

/** The file before a change that says it; before one that wrote all of it, at best what it wrote. */
function startOf(edit: FileEdit | undefined): Line[] {
  if (edit?.before !== undefined) return toLines(edit.before, NOBODY);
  return edit?.does === "write" && !edit.isNew ? toLines(edit.text, GUESSED) : [];
}

function undo(document: Document, edit: FileEdit): void {
  switch (edit.does) {
    case "patch":
      // From the last one on, so that the numbers of those before are still right.
      for (const hunk of edit.hunks.toReversed().filter(saysWhere))
        applyEdit(document, { ...edit, hunks: [inverted(hunk)] }, UNDONE);
      return;
    case "replace":
      for (const { before, after, all } of edit.pairs.toReversed())
        if (after !== "")
          applyEdit(
            document,
            { ...edit, pairs: [{ before: after, after: before, ...(all && { all }) }] },
            UNDONE,
          );
      return;
    case "splice":
      unsplice(document, edit);
  }
}

/** Braces and blank lines alone stand anywhere: without a number, nobody knows which of them the hunk brought. */
const saysWhere = ({ lines, newStart }: Hunk): boolean =>
  newStart !== undefined || lines.some((line) => !line.startsWith("-") && /[\p{L}\p{N}]/u.test(line));

/** Stands for a line of which nothing is known but that it was there. */
const UNKNOWN: Line = { text: "", key: "\0", by: UNDONE };

/** What a splice took away is not recorded, but how many lines that were is: the places of earlier ones depend on it. */
function unsplice(document: Document, { steps }: SpliceEdit): void {
  for (const step of steps.toReversed()) {
    let shift = 0;
    const placed = step
      .toSorted((a, b) => a.startLine - b.startLine || a.startColumn - b.startColumn)
      .map((each) => {
        const [written, taken] = [piecesOf(each.text).length, each.endLine - each.startLine + 1];
        const at = each.startLine - 1 + shift;
        shift += written - taken;
        // Then the last line is the one behind what was written, and is as it was.
        const isWhole = each.startColumn === 1 && each.endColumn === 1;
        return { at, written: isWhole ? written - 1 : written, taken: isWhole ? taken - 1 : taken };
      });
    for (const { at, written, taken } of placed.toReversed())
      document.put(Math.min(at, document.lines().length), written, new Array<Line>(taken).fill(UNKNOWN));
  }
}
