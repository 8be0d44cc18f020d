/** One record of a mutation log, before it is applied. */
import type { Line } from "../../platform/lines.ts";
import type { Path } from "./json-outline.ts";
import type { Held } from "./told.ts";

/** What each kind of record does. */
export const KIND = { initial: 0, set: 1, push: 2, delete: 3 } as const;
/** The one list whose elements may be left in the file. */
export const TURNS = "requests";

export interface LogRecord {
  readonly line: Line;
  readonly kind: unknown;
  readonly path: unknown;
  /** For a push: the length that the array is cut to first. */
  readonly keep: unknown;
  /** What the record brings; turns that were left in the file are not in it. */
  readonly value: unknown;
  /** What it brings, in hand or by its place; undefined when it brings nothing. */
  readonly held: Held | undefined;
  /** The turns of an initial record, or the elements of any list. */
  readonly elements?: readonly Element[];
}

export interface Element {
  readonly held: Held;
  /** Its path in the record. */
  readonly at: Path;
}
