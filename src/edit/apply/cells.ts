/** Compares and changes single values of a database that its program uses for much else. */
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../model/errors.ts";
import type { Cell, SetStep } from "../../model/plan.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import { changeMemberText, memberText, othersThan } from "../../platform/json/members.ts";
import { readValues, type Values } from "../../platform/sqlite/key-values.ts";

/** Why the program would throw a value away, in its own words. */
export type Judge = (key: string, value: string) => AppError | undefined;

export const keysOf = ({ cells }: SetStep): string[] => [...new Set(cells.map(({ key }) => key))];

/** What is there now: undefined for what is neither text nor bytes, or not what it should be a member of. */
type FoundValue = string | Uint8Array | null | undefined;

/** What is there now, in the order of the cells. */
export function readCells(step: SetStep): FoundValue[] {
  if (!isThere(step.path)) return step.cells.map(() => undefined);
  const values = readValues(step.path, step.table, keysOf(step));
  return step.cells.map((cell) => foundIn(cell, values.get(cell.key)));
}

/** One transaction does all of them, so they are all as they were, or all as they were meant to be. */
export function progressOfCells(step: SetStep): "before" | "after" | "foreign" {
  const now = readCells(step);
  if (step.cells.every((cell, i) => isCell(cell, now[i], "before"))) return "before";
  return step.cells.every((cell, i) => isCell(cell, now[i], "after")) ? "after" : "foreign";
}

/** The same step the other way. */
export const turnCells = (step: SetStep): SetStep => ({
  ...step,
  cells: step.cells.map((cell) => turnCell(cell, cell.after, cell.bytes === "after")).toReversed(),
});

/** Back from what is there now to what was there before. */
export function turnCell(cell: Cell, now: string | null, isBytes = false): Cell {
  const { bytes, ...rest } = cell;
  const turned = isBytes ? "before" : bytes === "before" ? "after" : undefined;
  return { ...rest, before: now, after: cell.before, ...(turned && { bytes: turned }) };
}

/**
 * For the holder of the write lock: the new values. Throws when the old ones are no longer what the plan was made from.
 */
export function decideValues(
  step: SetStep,
  values: Values,
  judge: Judge = () => undefined,
): Map<string, string | Uint8Array | null> {
  const next = new Map<string, string | Uint8Array | null>();
  /** What is replaced as a whole may be damaged, and so may be what an undo brings back; of what it becomes the plan was sure. */
  const shared = new Set(step.cells.flatMap(({ key, at }) => (at ? [key] : [])));
  const check = (key: string, value: unknown): void => {
    const fault = typeof value === "string" && shared.has(key) ? judge(key, value) : undefined;
    if (fault) throw fault;
  };
  for (const key of shared) check(key, values.get(key));
  for (const cell of step.cells) {
    const value = next.has(cell.key) ? next.get(cell.key) : values.get(cell.key);
    if (!isCell(cell, foundIn(cell, value), "before")) throw changed(step.path);
    next.set(cell.key, changeValue(cell, typeof value === "string" ? value : null, step.path));
  }
  for (const [key, value] of next) check(key, value);
  return next;
}

/** The value, or the text of the member that the cell is about. */
function foundIn({ at }: Cell, value: unknown): FoundValue {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array && !at) return value;
  if (typeof value !== "string") return undefined;
  if (!at) return value;
  return isJson(value) ? memberText(value, at) : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the caller says so, where it wants to change it
  }
}

/** A program that rewrites its values may order or format them differently. */
export function isCell(cell: Cell, found: FoundValue, side: "before" | "after"): boolean {
  const wanted = sideOf(cell, side);
  if (found instanceof Uint8Array || wanted instanceof Uint8Array)
    return found instanceof Uint8Array && wanted instanceof Uint8Array && Buffer.compare(found, wanted) === 0;
  return (
    found === wanted ||
    (cell.at !== undefined && typeof found === "string" && wanted !== null && isSameJson(found, wanted))
  );
}

function sideOf(cell: Cell, side: "before" | "after"): string | Uint8Array | null {
  const text = cell[side];
  return cell.bytes === side && text !== null ? Buffer.from(text, "base64") : text;
}

function changeValue(cell: Cell, value: string | null, path: string): string | Uint8Array | null {
  const { at, after, around, between } = cell;
  if (!at || at.length === 0) return sideOf(cell, "after");
  const text = value ?? around;
  const next = text === undefined ? undefined : changeMemberText(text, at, after, between);
  if (text === undefined || next === undefined) throw changed(path);
  const isProven =
    isJson(next) &&
    memberText(next, at) === after &&
    isDeepStrictEqual(othersThan(next, at), othersThan(text, at));
  if (!isProven) throw new Error("a change of one member changed another");
  return after === null && around !== undefined && isSameJson(next, around) ? null : next;
}

/** As a program that reads and rewrites them would have them: `-0` becomes 0, and infinities become null. */
function isSameJson(one: string, other: string): boolean {
  try {
    const [a, b] = [one, other].map((text): unknown => JSON.parse(JSON.stringify(JSON.parse(text))));
    return isDeepStrictEqual(a, b);
  } catch (error) {
    if (error instanceof RangeError) return false; // nested too deeply to be compared
    throw error;
  }
}

const changed = (path: string): AppError =>
  new AppError(
    "session-changed",
    `${path} changed since the plan was made, so nothing was written`,
    "Run the command again",
  );
