/** Values of a database that a program keeps much else in: what has become of ours, and what a change makes of them. */
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../model/errors.ts";
import type { Cell, SetStep } from "../model/plan.ts";
import { readValues, type Values } from "../platform/key-values.ts";
import { isThere } from "../platform/own-files.ts";
import { changeMembers } from "../sources/json-members.ts";

/** Why the program would throw a value away, in its own words. */
export type Judge = (key: string, value: string) => AppError | undefined;

export const keysOf = ({ cells }: SetStep): string[] => [...new Set(cells.map(({ key }) => key))];

/** What is there now, in the order of the cells; undefined for what is no text, or not what it should be a member of. */
export function readCells(step: SetStep): (string | null | undefined)[] {
  if (!isThere(step.path)) return step.cells.map(() => undefined);
  const values = readValues(step.path, step.table, keysOf(step));
  return step.cells.map((cell) => memberOf(cell, values.get(cell.key)));
}

/** One transaction does all of them, so they are all as they were, or all as they were meant to be. */
export function progressOfCells(step: SetStep): "before" | "after" | "foreign" {
  const now = readCells(step);
  if (step.cells.every((cell, i) => isCell(cell, now[i], cell.before))) return "before";
  return step.cells.every((cell, i) => isCell(cell, now[i], cell.after)) ? "after" : "foreign";
}

/** The same step the other way. */
export const turnCells = (step: SetStep): SetStep => ({
  ...step,
  cells: step.cells.map((cell) => ({ ...cell, before: cell.after, after: cell.before })).toReversed(),
});

/** For whoever has the write lock: the values as they are to be. Throws when they are no longer what the plan was made from. */
export function decideValues(
  step: SetStep,
  values: Values,
  judge: Judge = () => undefined,
): Map<string, string | null> {
  const next = new Map<string, string | null>();
  /** What is replaced as a whole may be damaged, and so may be what an undo brings back; of what it becomes the plan was sure. */
  const shared = new Set(step.cells.flatMap(({ key, at }) => (at ? [key] : [])));
  const check = (key: string, value: unknown): void => {
    const fault = typeof value === "string" && shared.has(key) ? judge(key, value) : undefined;
    if (fault) throw fault;
  };
  for (const key of shared) check(key, values.get(key));
  for (const cell of step.cells) {
    const value = next.has(cell.key) ? next.get(cell.key) : values.get(cell.key);
    if (!isCell(cell, memberOf(cell, value), cell.before)) throw changed(step.path);
    next.set(cell.key, changeValue(cell, value as string | null));
  }
  for (const [key, value] of next) check(key, value);
  return next;
}

function memberOf(cell: Cell, value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value !== "string") return undefined;
  if (!cell.at) return value;
  let found: unknown;
  try {
    found = JSON.parse(value);
  } catch {
    return undefined; // whoever wants to change it is told
  }
  for (const key of cell.at) {
    if (typeof found !== "object" || found === null) return undefined;
    if (!Object.hasOwn(found, key)) return null;
    found = (found as Record<string, unknown>)[key];
  }
  return JSON.stringify(found);
}

/** A program that writes its values anew may order or space them otherwise. */
export const isCell = ({ at }: Cell, found: string | null | undefined, wanted: string | null): boolean =>
  typeof found === "string" && wanted !== null && at
    ? isDeepStrictEqual(JSON.parse(found), JSON.parse(wanted))
    : found === wanted;

function changeValue({ at, after, around }: Cell, value: string | null): string | null {
  const [last, ...above] = at?.toReversed() ?? [];
  if (last === undefined) return after;
  const text = value ?? around;
  if (text === undefined) throw new Error("there is no value to be a member of");
  const member: unknown = after === null ? undefined : JSON.parse(after);
  const next = changeMembers(text, { [last]: member }, above.reverse());
  const isOnlyOurs = after === null && around !== undefined && isSameJson(next, around);
  if (!isSameJson(next, withMember(text, at ?? [], member)))
    throw new Error("a change of one member changed another");
  return isOnlyOurs ? null : next;
}

/** The same by way of parsing: what the change in the text is held against. */
function withMember(text: string, at: readonly string[], member: unknown): string {
  const top: unknown = JSON.parse(text);
  let parent = top as Record<string, unknown>;
  for (const key of at.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  const last = at.at(-1) ?? "";
  if (member === undefined) delete parent[last];
  else parent[last] = member;
  return JSON.stringify(top);
}

const isSameJson = (a: string, b: string): boolean => isDeepStrictEqual(JSON.parse(a), JSON.parse(b));

const changed = (path: string): AppError =>
  new AppError(
    "session-changed",
    `${path} changed since the plan was made, so nothing was written`,
    "Run the command again",
  );
