/** Is what is on disk what was read, or what was written? */
import { isAtOrBelow } from "../model/place.ts";
import type { Basis, Entry, Piece, Planned, Step } from "../model/plan.ts";
import { readIfThere } from "../platform/own-files.ts";
import { lookAt, readTree } from "../platform/tree.ts";
import { progressOfCells } from "./cells.ts";

/** File systems keep times to different fractions; nobody sets two that lie closer together. */
const SAME_TIME_MS = 0.01;

export function isSame(found: Entry | undefined, wanted: Planned, mayGrow = false): boolean {
  if (!found || found.kind !== wanted.kind) return false;
  if (found.kind === "link" && wanted.kind === "link") return found.target === wanted.target;
  if (found.kind !== "file" || wanted.kind !== "file") return true; // the time of a folder tells nothing
  if (wanted.ino !== undefined && wanted.ino !== found.ino) return false;
  if (mayGrow) return found.size >= wanted.size;
  return (
    found.size === wanted.size &&
    found.mode === wanted.mode &&
    Math.abs(found.mtimeMs - wanted.mtimeMs) < SAME_TIME_MS &&
    holdsText(found.path, wanted.pieces ?? [])
  );
}

/** Small files that we wrote whole are known by their bytes: a counter may change within a moment, at the same size. */
function holdsText(path: string, pieces: readonly Piece[]): boolean {
  const texts = pieces.flatMap((piece) => ("text" in piece ? [piece.text] : []));
  if (texts.length === 0 || texts.length < pieces.length) return true;
  return readIfThere(path)?.equals(Buffer.from(texts.join(""))) ?? false;
}

/** All of these and nothing else. */
function isSameTree(path: string, wanted: readonly Planned[]): boolean {
  const found = new Map(readTree(path).map((entry) => [entry.path, entry]));
  return found.size === wanted.length && wanted.every((entry) => isSame(found.get(entry.path), entry));
}

/** What has become of a step. `foreign`: somebody else was there since. */
export type Progress = "before" | "after" | "foreign";

/** Files that were put back are as they were, but they are other files. */
export function progressOf(
  step: Step,
  basis: readonly Basis[],
  which: "same-files" | "other-files" = "same-files",
): Progress {
  if (step.does === "set") return progressOfCells(step);
  const entries = entriesBelow(step.path, basis);
  const before = which === "same-files" ? entries : entries.map(anyFile);
  const after = step.does === "remove" ? [] : step.entries;
  if (step.does !== "place" && isSameTree(step.path, before)) return "before";
  if (lookAt(step.path) === undefined)
    return step.does === "place" ? "before" : step.does === "remove" ? "after" : "foreign";
  return step.does !== "remove" && isSameTree(step.path, after) ? "after" : "foreign";
}

const anyFile = (entry: Entry): Entry => {
  if (entry.kind !== "file") return entry;
  const { ino: _, ...rest } = entry;
  return rest;
};

export const entriesBelow = (path: string, basis: readonly Basis[]): Entry[] =>
  basis.flatMap(({ entry }) => (isAtOrBelow(entry.path, path) ? [entry] : []));

/** The first thing that is no longer as it was when the plan was made; nothing when all of it is. */
export function findChanged(steps: readonly Step[], basis: readonly Basis[]): string | undefined {
  const changed = basis.find(({ entry, mayGrow }) => !isSame(lookAt(entry.path), entry, mayGrow));
  return changed?.entry.path ?? steps.find((step) => progressOf(step, basis) !== "before")?.path;
}
