/** One record of a mutation log, before it is applied. */
import { isNewerThan } from "../../../model/session/newer.ts";
import type { Line } from "../../../platform/fs/lines.ts";
import type { Path } from "./json-outline.ts";
import type { Held, ValueOrigin } from "./parsed-session.ts";

/** What each kind of record does. */
export const KIND = { initial: 0, set: 1, push: 2, delete: 3 } as const;
/** Numbers beyond these are for records of a newer version; whatever else stands there is damage. */
export const isNewerKind = (kind: unknown): boolean =>
  Number.isInteger(kind) && isNewerThan(kind, KIND.delete);
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
  /** What it brings, with its place in the log; undefined when it brings nothing. */
  readonly brings: Brought | undefined;
  /** The turns of an initial record, or the elements of any list. */
  readonly elements?: readonly Brought[];
}

export interface Brought {
  readonly held: Held;
  readonly origin: ValueOrigin;
}

export const originIn = ({ number, start, end }: Line, at: Path): ValueOrigin => ({
  line: number,
  start,
  end,
  at,
});
