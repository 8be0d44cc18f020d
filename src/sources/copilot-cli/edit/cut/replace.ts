/** Replaces the content of one file in a session's folder. */
import { type Draft, type Piece, type Planned, sizeOfPieces } from "../../../../model/plan.ts";
import { under } from "../../workspace/locate.ts";
import { PRIVATE, type SessionFolder } from "../copy/folder.ts";

export function replaceFile(
  folder: SessionFolder,
  name: string,
  pieces: readonly Piece[],
  now: Date,
): Pick<Draft, "basis" | "steps"> {
  const path = under(folder.path, name);
  // A link that leads nowhere holds nothing: what it names is made.
  const before = folder.entries.find((entry) => entry.path === path && entry.kind !== "link");
  const mode = before?.kind === "file" ? before.mode : PRIVATE.file;
  const size = sizeOfPieces(pieces);
  const planned: Planned = { kind: "file", path, mode, mtimeMs: now.getTime(), size, pieces };
  return {
    basis: before ? [{ entry: before }] : [],
    steps: [{ does: before ? "replace" : "place", path, entries: [planned] }],
  };
}

export const replaceText = (
  folder: SessionFolder,
  name: string,
  text: string,
  now: Date,
): Pick<Draft, "basis" | "steps"> => replaceFile(folder, name, [{ text }], now);
