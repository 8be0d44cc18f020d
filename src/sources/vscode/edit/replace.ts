/** A session's own file with some values changed or turns gone; every other byte stays. */
import { type Draft, type Piece, type Planned, sizeOfPieces } from "../../../model/plan.ts";
import type { Artifact } from "../../../model/session.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { lookAt } from "../../../platform/tree.ts";
import { type Amendment, amendDocument, toCutRecord, toRecords } from "./amend.ts";
import { linesOf } from "./kept-lines.ts";
import type { Look } from "./look.ts";

export interface FileChange {
  readonly amendments: readonly Amendment[];
  /** Of the turns only the first ones. */
  readonly turns?: number;
}

/** What the file is made of afterwards, in its own form. */
export async function changedContent(
  fs: SessionFs,
  path: string,
  look: Look,
  { amendments, turns }: FileChange,
): Promise<Piece[]> {
  const { isLog, size, isEnded } = look;
  if (!isLog) return amendDocument(fs, path, size, amendments, turns);
  const isCut = turns !== undefined && turns < look.turns.length;
  const kept = isCut ? await linesOf(fs, path, size, turns) : [{ file: path, start: 0, end: size }];
  const ended = isEnded ? "" : "\n";
  return [...kept, { text: `${ended}${isCut ? toCutRecord(turns) : ""}${toRecords(amendments)}` }];
}

export async function replaceSession(
  fs: SessionFs,
  { path }: Artifact,
  look: Look,
  { now, ...change }: FileChange & { readonly now: Date },
): Promise<Pick<Draft, "basis" | "steps">> {
  const entry = lookAt(path);
  if (entry?.kind !== "file") throw new Error(`${path} is no file`);
  const pieces = await changedContent(fs, path, look, change);
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
