/** A session file as parsed, before its content is interpreted: a head, and turns that are lists of changes. */

import type { ProblemCode } from "../../../model/problem.ts";
import type { Origin } from "../../../model/session/session.ts";
import { append } from "../../../model/values/lists.ts";
import { memberOf, setMember } from "../../../model/values/member.ts";
import { asArray, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { ChangeTable, TurnSlot } from "./change-table.ts";
import type { Path } from "./json-outline.ts";
import { createOrigins } from "./origins.ts";

/** A value in hand, or the place where it can be read again: large files are not held. */
export type Held = { readonly value: unknown } | ValuePlace;

export interface ValuePlace {
  readonly start: number;
  readonly end: number;
  /** Where in the JSON text of that range. */
  readonly at: Path;
}

/** One line's effect on one turn. */
export interface Change {
  readonly effect: "set" | "push" | "delete";
  /** Where in the turn. */
  readonly path: Path;
  readonly held: Held;
  /** For a push: the length that the array is cut to first. */
  readonly keep?: number | undefined;
  readonly origin: ValueOrigin;
}

/** The record, and in it the path of the value. */
export type ValueOrigin = Origin & { readonly at: Path };

/** Something a file does not tell as VS Code expects it. */
export interface Fault {
  readonly code: ProblemCode;
  readonly line?: number;
  readonly message: string;
}

export interface ParsedSession {
  /** Everything but the turns. */
  readonly head: JsonObject;
  readonly turns: readonly TurnSlot[];
  /** What the slots are made of. */
  readonly changes: Pick<ChangeTable, "of">;
  /** Whether there is a list of turns at all. */
  readonly hasTurns: boolean;
  /** The turns as they were before the log was emptied, when it still holds them. */
  readonly removed?: readonly TurnSlot[];
  /** Other turns that were changed and taken away; their changes may be faulty all the same. */
  readonly dropped?: readonly TurnSlot[];
  readonly faults: readonly Fault[];
}

export interface Turn {
  readonly value: unknown;
  /** The record that last set the value at this path of the turn. */
  originOf(path: Path): Origin;
  readonly faults: readonly Fault[];
}

/** Reads a value that was left in the file. */
export type Load = (place: ValuePlace) => Promise<Loaded>;
export interface Loaded {
  readonly value: unknown;
  /** Bytes of long strings left out. */
  readonly cut: number;
  /** False when only a part of the value could be read. */
  readonly whole: boolean;
}

/** Makes one turn from its changes; values in hand become part of it, so a slot is turned once. */
export async function toTurn(changes: readonly Change[], load: Load): Promise<Turn> {
  const origins = createOrigins();
  const { value, faults } = await toValue(changes, load, origins.add);
  return { value, faults, originOf: origins.of };
}

/** The same for who does not ask where it stands. `applied` is told what became of each change. */
export async function toValue(
  changes: readonly Change[],
  load: Load,
  applied?: (change: Change, pushed: Pushed) => void,
): Promise<Omit<Turn, "originOf">> {
  const faults: Fault[] = [];
  const root: JsonObject = { turn: undefined };
  for (const change of changes) {
    const { value, cut, whole } =
      "value" in change.held ? { value: change.held.value, cut: 0, whole: true } : await load(change.held);
    const { line } = change.origin;
    if (!whole) faults.push({ code: "record-unreadable", line, message: "a turn is not valid JSON" });
    if (cut > 0) {
      faults.push({ code: "too-large", line, message: `${cut} bytes of long texts were left out of a turn` });
    }
    const outcome = apply(root, ["turn", ...change.path], change, value);
    if (typeof outcome === "string") faults.push({ code: "record-invalid", line, message: outcome });
    else applied?.(change, outcome);
  }
  return { value: root.turn, faults };
}

/** The elements that a push brought. */
interface Pushed {
  readonly from: number;
  readonly count: number;
}

/** Applies one change the way VS Code does; says why not when VS Code could not. */
export function apply(
  root: JsonObject,
  path: Path,
  change: Pick<Change, "effect" | "keep">,
  value: unknown,
): Pushed | string {
  const shown = (): string => path.join(".");
  if (path.includes("__proto__")) return `the path ${shown()} is not allowed`;
  let parent: unknown = root;
  for (const step of path.slice(0, -1)) {
    parent = isObject(parent) || Array.isArray(parent) ? memberOf(parent as JsonObject, step) : undefined;
  }
  if (!isObject(parent) && !Array.isArray(parent))
    return `the path ${shown()} leads through something missing`;
  const target = parent as JsonObject;
  const last = path.at(-1) ?? "";
  if (change.effect !== "push") {
    if (Array.isArray(parent) && !isIndex(last, parent.length)) return `the path ${shown()} leaves a gap`;
    setMember(target, last, value);
    return { from: 0, count: 0 };
  }
  const list = memberOf(target, last) || [];
  if (!Array.isArray(list)) return `the value at ${shown()} is not a list to push to`;
  if (value !== undefined && value !== null && !Array.isArray(value)) return "what is pushed is not a list";
  if (change.keep !== undefined && !isIndex(change.keep, list.length)) {
    return `the list at ${shown()} has no position ${change.keep}`;
  }
  if ((change.keep ?? list.length) === list.length) {
    // The usual record, more behind what is there: in place, as an answer may come in thousands of pieces.
    const from = list.length;
    setMember(target, last, list);
    append(list, asArray(value));
    return { from, count: list.length - from };
  }
  const kept = list.slice(0, change.keep ?? list.length);
  setMember(target, last, [...kept, ...asArray(value)]);
  return { from: kept.length, count: asArray(value).length };
}

const isIndex = (value: unknown, length: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= length;
