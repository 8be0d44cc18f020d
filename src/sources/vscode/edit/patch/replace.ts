/** Replaces a session's file with some values changed or turns removed; every other byte stays the same. */
import { type Draft, type Piece, type Planned, sizeOfPieces } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { lookThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { type Inspection, noLongerThere } from "../copy/inspect.ts";
import { linesOf } from "../copy/kept-lines.ts";
import { type Amendment, toCutRecord, toRecords } from "./amend.ts";
import { editLines } from "./amend-log.ts";
import { amendDocument, type Edit, toPieces } from "./amend-text.ts";

export interface FileChange {
  readonly amendments: readonly Amendment[];
  /** Of the turns only the first ones. */
  readonly turns?: number;
}

/** What the file is made of afterwards, in its own form. */
export async function changedContent(
  fs: SessionFs,
  path: string,
  inspected: Inspection,
  { amendments, turns }: FileChange,
): Promise<Piece[]> {
  const { isLog, size, isEnded } = inspected;
  if (!isLog) return amendDocument(fs, path, size, amendments, turns);
  const isCut = turns !== undefined && turns < inspected.turns.length;
  const edits = await editLines(fs, path, amendments);
  const { ranges, cuts } = isCut
    ? await linesOf(fs, path, size, turns)
    : { ranges: [{ start: 0, end: size }], cuts: [] };
  const ended = isEnded ? "" : "\n";
  return [
    ...piecesOf(path, ranges, [...edits, ...cuts]),
    { text: `${ended}${isCut ? toCutRecord(turns) : ""}${toRecords(amendments)}` },
  ];
}

/** Ranges come in the order of the file, and no edit leaves its line. */
function piecesOf(
  path: string,
  ranges: readonly { readonly start: number; readonly end: number }[],
  edits: readonly Edit[],
): Piece[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  let next = 0;
  return ranges.flatMap(({ start, end }) => {
    const inside: Edit[] = [];
    for (; (sorted[next]?.start ?? end) < end; next++)
      if ((sorted[next] as Edit).start >= start) inside.push(sorted[next] as Edit);
    return toPieces(path, end, inside, start);
  });
}

export async function replaceSession(
  fs: SessionFs,
  { path }: Artifact,
  inspected: Inspection,
  { now, ...change }: FileChange & { readonly now: Date },
): Promise<Pick<Draft, "basis" | "steps">> {
  const entry = await lookThrough(fs, path);
  if (entry?.kind !== "file") throw noLongerThere(path);
  const pieces = await changedContent(fs, path, inspected, change);
  const planned: Planned = {
    kind: "file",
    path,
    mode: entry.mode,
    mtimeMs: now.getTime(),
    size: sizeOfPieces(pieces),
    pieces,
  };
  return { basis: [{ entry }], steps: [{ does: "replace", path, entries: [planned] }] };
}
