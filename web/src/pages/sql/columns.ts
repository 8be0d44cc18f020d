/** How a column of a result is shown: as wide as what it holds, numbers to the right. */
import type { Table } from "./csv.ts";

export interface Column {
  readonly name: string;
  readonly width: number;
  readonly isNumber: boolean;
}

/** So many rows tell how wide the rest is. */
const LOOKED_AT = 200;
const CHARACTER = 7.3;
const PADDING = 25;
const NARROWEST = 64;
const WIDEST = 420;
/** The beginning of an id is enough to tell it from others. */
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ID_LENGTH = 11;

export function columnsOf({ columns, rows }: Table): Column[] {
  const sample = rows.slice(0, LOOKED_AT);
  return columns.map((name, at) => {
    const values = sample.map((row) => row[at] ?? null);
    const given = values.filter((value) => value !== null);
    const isNumber = given.length > 0 && given.every((value) => typeof value === "number");
    const longest = Math.max(name.length, ...values.map(lengthOf));
    const width = Math.min(WIDEST, Math.max(NARROWEST, Math.ceil(longest * CHARACTER + PADDING)));
    return { name, width, isNumber };
  });
}

const lengthOf = (value: string | number | null): number =>
  typeof value === "string" && ID.test(value) ? ID_LENGTH : firstLine(value).length;

/** What fits on one line of a cell. */
const SHOWN = 240;
export const firstLine = (value: string | number | null): string =>
  value === null
    ? "NULL"
    : typeof value === "number"
      ? String(value)
      : value.slice(0, SHOWN).replace(/\s+/g, " ");
