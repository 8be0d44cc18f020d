/** The sort orders of session lists, and a session's position in each. */

import { AppError } from "../errors.ts";
import { decodeCursor, encodeCursor } from "../values/cursor.ts";
import type { Session } from "./session.ts";

/** Latest first, most first, or by the alphabet. */
export const SESSION_ORDERS = ["active", "created", "title", "turns", "size"] as const;
export type SessionOrder = (typeof SESSION_ORDERS)[number];

/** A session's sort key: a value, then a tiebreaker. */
export interface SessionPlace {
  readonly order: SessionOrder;
  readonly value: string | number;
  readonly id: string;
  readonly source: string;
  readonly path: string;
}

/** Letters beyond ASCII are compared as they are, as SQLite does. */
const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const VALUES: Readonly<Record<SessionOrder, (session: Session) => string | number>> = {
  active: ({ updatedAt = "" }) => updatedAt,
  created: ({ createdAt = "" }) => createdAt,
  title: ({ title }) => folded(title),
  turns: ({ turns }) => turns,
  size: ({ bytes }) => bytes,
};

export const placeOf = (order: SessionOrder, session: Session): SessionPlace => ({
  order,
  value: VALUES[order](session),
  id: session.id,
  source: session.source,
  path: session.path,
});

export const isAscending = (order: SessionOrder): boolean => order === "title";

/** Sessions without a time come last; the order of equal ones is stable. */
export function comparePlaces(a: SessionPlace, b: SessionPlace): number {
  const byValue = compare(a.value, b.value);
  return (
    (isAscending(a.order) ? byValue : -byValue) ||
    compare(a.id, b.id) ||
    compare(a.source, b.source) ||
    compare(a.path, b.path)
  );
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

const KIND = "list";

/** A cursor is the place of the last session before it, so that sessions that come or go elsewhere move nothing. */
export const toCursor = (place: SessionPlace): string => encodeCursor(KIND, place);

/** The order of the cursor, unless another one is asked for, which would make no sense. */
export function fromCursor(cursor: string, asked: SessionOrder | undefined): SessionPlace {
  const place = decodeCursor<SessionPlace>(
    KIND,
    cursor,
    ({ order, value, id, source, path }) =>
      SESSION_ORDERS.some((each) => each === order) &&
      (order === "turns" || order === "size" ? typeof value === "number" : typeof value === "string") &&
      [id, source, path].every((text) => typeof text === "string"),
  );
  if (asked === undefined || asked === place.order) return place;
  throw new AppError(
    "usage",
    `The cursor is of a list by ${place.order}, not by ${asked}`,
    "Keep the order for all pages of a list",
  );
}
