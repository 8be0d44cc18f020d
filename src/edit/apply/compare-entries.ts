/** Compares entries on disk with what was read or written. */
import type { Basis, Entry, Piece, Planned, SetStep, Step } from "../../model/plan.ts";
import { hashFile, hashPieces } from "../../platform/disk/disk-hash.ts";
import { readIfThere } from "../../platform/disk/own-files.ts";
import { lookAt, readTree } from "../../platform/disk/tree.ts";
import { BLOCK } from "../../store/vault/block.ts";
import type { KeptFile } from "../../store/vault/kept-file.ts";
import { entriesBelow, fromBackup } from "../backups/from-backup.ts";
import { progressOfCells } from "./cells.ts";

/** File systems keep times with different precision. */
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
    (holdsText(found.path, wanted.pieces ?? []) ?? true)
  );
}

/** The same bytes, even if the file was copied, touched or protected since. */
function hasSameBytes(found: Entry | undefined, wanted: Planned): boolean {
  if (found?.kind !== "file" || wanted.kind !== "file") return isSame(found, wanted);
  return found.size === wanted.size && (holdsBytes(found.path, wanted) ?? looksSame(found, wanted));
}

/** Whichever file it is. */
function looksSame(found: Entry | undefined, wanted: Planned): boolean {
  if (wanted.kind !== "file") return isSame(found, wanted);
  const { ino: _, ...anyFile } = wanted;
  return isSame(found, anyFile);
}

/** Undefined when the hash was not recorded. */
function holdsBytes(path: string, { sha256, pieces = [] }: Planned): boolean | undefined {
  if (sha256 !== undefined) return hashFile(path) === sha256;
  const [only] = pieces;
  if (only && "blocks" in only && pieces.length === 1) {
    const found = hashPieces(path, BLOCK);
    return found.length === only.blocks.length && found.every((hash, i) => hash === only.blocks[i]);
  }
  return holdsText(path, pieces);
}

/** Small files that we wrote whole are known by their bytes: a counter may change within a moment, at the same size. */
function holdsText(path: string, pieces: readonly Piece[]): boolean | undefined {
  const texts = pieces.flatMap((piece) => ("text" in piece ? [piece.text] : []));
  if (texts.length === 0 || texts.length < pieces.length) return undefined;
  return readIfThere(path)?.equals(Buffer.from(texts.join(""))) ?? false;
}

type SameEntry = (found: Entry | undefined, wanted: Planned) => boolean;

/** All of these and nothing else. */
function isSameTree(path: string, wanted: readonly Planned[], same: SameEntry): boolean {
  const found = new Map(readTree(path).map((entry) => [entry.path, entry]));
  return found.size === wanted.length && wanted.every((entry) => same(found.get(entry.path), entry));
}

/** The state of a step. `foreign`: it was changed by another program since. */
export type Progress = "before" | "after" | "foreign";

/** Compared by content, so that a copy or a new time or mode does not count as a change. */
export function progressOf(step: Step, basis: readonly Basis[], backup: readonly KeptFile[]): Progress {
  if (step.does === "set") return progressOfCells(step);
  const before = step.does === "place" ? [] : fromBackup(step.path, basis, backup);
  const is = compare(step, before, hasSameBytes);
  // A step may change only times and modes; then these are compared.
  return is === "both" ? (compare(step, before, looksSame) === "before" ? "before" : "after") : is;
}

/** Whether a plan may still begin: the very files it was made from must be there, untouched. */
function isBefore(step: Step, basis: readonly Basis[]): boolean {
  if (step.does === "set") return progressOfCells(step) === "before";
  return ["before", "both"].includes(compare(step, entriesBelow(step.path, basis), isSame));
}

function compare(
  step: Exclude<Step, SetStep>,
  before: readonly Planned[],
  same: SameEntry,
): Progress | "both" {
  if (lookAt(step.path) === undefined)
    return step.does === "place" ? "before" : step.does === "remove" ? "after" : "foreign";
  const isBefore = step.does !== "place" && isSameTree(step.path, before, same);
  const isAfter = step.does !== "remove" && isSameTree(step.path, step.entries, same);
  return isBefore && isAfter ? "both" : isBefore ? "before" : isAfter ? "after" : "foreign";
}

/** The first thing that is no longer as it was when the plan was made; nothing when all of it is. */
export function findChanged(steps: readonly Step[], basis: readonly Basis[]): string | undefined {
  const changed = basis.find(({ entry, mayGrow }) => !isSame(lookAt(entry.path), entry, mayGrow));
  return changed?.entry.path ?? steps.find((step) => !isBefore(step, basis))?.path;
}
