/** Compares entries that are there with what was read or written. */
import { hash } from "node:crypto";
import type { Basis, Entry, Piece, Planned, SetStep, Step } from "../../model/plan.ts";
import { hashBlocks, hashOf } from "../../platform/fs/file-hash.ts";
import { entryAt, readTree } from "../../platform/fs/fs-links.ts";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import { BLOCK } from "../../store/vault/block.ts";
import type { KeptFile } from "../../store/vault/kept-file.ts";
import { entriesBelow, fromBackup } from "../backups/from-backup.ts";
import { progressOfCells } from "./cells.ts";

/** File systems keep times with different precision. */
const SAME_TIME_MS = 0.01;

export async function isSame(
  fs: SessionFs,
  found: Entry | undefined,
  wanted: Planned,
  mayGrow = false,
): Promise<boolean> {
  if (!found || found.kind !== wanted.kind) return false;
  if (found.kind === "link" && wanted.kind === "link") return found.target === wanted.target;
  if (found.kind !== "file" || wanted.kind !== "file") return true; // the time of a folder tells nothing
  if (wanted.ino !== undefined && wanted.ino !== found.ino) return false;
  if (mayGrow) return found.size >= wanted.size;
  return (
    found.size === wanted.size &&
    found.mode === wanted.mode &&
    Math.abs(found.mtimeMs - wanted.mtimeMs) < SAME_TIME_MS &&
    ((await holdsText(fs, found.path, wanted.pieces ?? [])) ?? true)
  );
}

type SameEntry = (fs: SessionFs, found: Entry | undefined, wanted: Planned) => Promise<boolean>;

/** The same bytes, even if the file was copied, touched or protected since. */
const hasSameBytes: SameEntry = async (fs, found, wanted) => {
  if (found?.kind !== "file" || wanted.kind !== "file") return isSame(fs, found, wanted);
  if (found.size !== wanted.size) return false;
  return (await holdsBytes(fs, found.path, wanted)) ?? looksSame(fs, found, wanted);
};

/** Whichever file it is. */
const looksSame: SameEntry = async (fs, found, wanted) => {
  if (wanted.kind !== "file") return isSame(fs, found, wanted);
  const { ino: _, ...anyFile } = wanted;
  return isSame(fs, found, anyFile);
};

/** Undefined when the hash was not recorded. */
async function holdsBytes(
  fs: SessionFs,
  path: string,
  { sha256, pieces = [] }: Planned,
): Promise<boolean | undefined> {
  if (sha256 !== undefined) return (await hashOf(fs, path)) === sha256;
  const [only] = pieces;
  if (only && "blocks" in only && pieces.length === 1) {
    const found = await hashBlocks(fs, path, BLOCK);
    return found.length === only.blocks.length && found.every((hash, i) => hash === only.blocks[i]);
  }
  return holdsText(fs, path, pieces);
}

/** Small files that we wrote whole are known by their bytes: a counter may change within a moment, at the same size. */
async function holdsText(
  fs: SessionFs,
  path: string,
  pieces: readonly Piece[],
): Promise<boolean | undefined> {
  const texts = pieces.flatMap((piece) => ("text" in piece ? [piece.text] : []));
  if (texts.length === 0 || texts.length < pieces.length) return undefined;
  try {
    return (await hashOf(fs, path)) === hash("sha256", texts.join(""));
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
    return false;
  }
}

/** All of these and nothing else. */
async function isSameTree(
  fs: SessionFs,
  path: string,
  wanted: readonly Planned[],
  same: SameEntry,
): Promise<boolean> {
  const found = new Map((await readTree(fs, path)).map((entry) => [entry.path, entry]));
  if (found.size !== wanted.length) return false;
  for (const entry of wanted) if (!(await same(fs, found.get(entry.path), entry))) return false;
  return true;
}

/** The state of a step. `foreign`: it was changed by another program since. */
export type Progress = "before" | "after" | "foreign";

/** Compared by content, so that a copy or a new time or mode does not count as a change. */
export async function progressOf(
  fs: SessionFs,
  step: Step,
  basis: readonly Basis[],
  backup: readonly KeptFile[],
): Promise<Progress> {
  if (step.does === "set") return progressOfCells(step);
  const before = step.does === "place" ? [] : fromBackup(step.path, basis, backup);
  const is = await compare(fs, step, before, hasSameBytes);
  if (is !== "both") return is;
  // A step may change only times and modes; then these are compared.
  return (await compare(fs, step, before, looksSame)) === "before" ? "before" : "after";
}

/** Whether a plan may still begin: the very files it was made from must be there, untouched. */
async function isBefore(fs: SessionFs, step: Step, basis: readonly Basis[]): Promise<boolean> {
  if (step.does === "set") return progressOfCells(step) === "before";
  return ["before", "both"].includes(await compare(fs, step, entriesBelow(step.path, basis), isSame));
}

async function compare(
  fs: SessionFs,
  step: Exclude<Step, SetStep>,
  before: readonly Planned[],
  same: SameEntry,
): Promise<Progress | "both"> {
  if ((await entryAt(fs, step.path)) === undefined)
    return step.does === "place" ? "before" : step.does === "remove" ? "after" : "foreign";
  const isBefore = step.does !== "place" && (await isSameTree(fs, step.path, before, same));
  const isAfter = step.does !== "remove" && (await isSameTree(fs, step.path, step.entries, same));
  return isBefore && isAfter ? "both" : isBefore ? "before" : isAfter ? "after" : "foreign";
}

/** The first thing that is no longer as it was when the plan was made; nothing when all of it is. */
export async function findChanged(
  fs: SessionFs,
  steps: readonly Step[],
  basis: readonly Basis[],
): Promise<string | undefined> {
  for (const { entry, mayGrow } of basis)
    if (!(await isSame(fs, await entryAt(fs, entry.path), entry, mayGrow))) return entry.path;
  for (const step of steps) if (!(await isBefore(fs, step, basis))) return step.path;
  return undefined;
}
