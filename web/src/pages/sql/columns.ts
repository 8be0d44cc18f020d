/** How a column of a result is shown: as wide as what it holds, numbers to the right. */
import type { Table, Value } from "./csv.ts";

export interface Column {
  readonly name: string;
  readonly width: number;
  readonly isNumber: boolean;
}

/** So many rows tell how wide the rest is. */
const LOOKED_AT = 400;
/** Of a cell, and room for the mark of a sorted column. */
const PADDING = 26;
const MARK = 16;
const NARROWEST = 64;
const WIDEST = 420;
/** The beginning of an id is enough to tell it from others. */
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ID_LENGTH = 9;

/** `measure` tells how wide a text is. */
export function columnsOf({ columns, rows }: Table, measure: (text: string) => number): Column[] {
  const step = Math.max(1, Math.floor(rows.length / LOOKED_AT));
  const sample = rows.filter((_, at) => at % step === 0 || at === rows.length - 1);
  return columns.map((name, at) => {
    const values = sample.map((row) => row[at] ?? null);
    const given = values.filter((value) => value !== null);
    const isNumber = given.length > 0 && given.every((value) => typeof value === "number");
    const longest = longestOf(values.map(shownOf));
    const needed = Math.max(measure(name) * 1.1 + MARK, measure(longest));
    return { name, width: Math.round(Math.min(WIDEST, Math.max(NARROWEST, needed + PADDING))), isNumber };
  });
}

const longestOf = (texts: readonly string[]): string =>
  texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");

const shownOf = (value: Value): string =>
  typeof value === "string" && ID.test(value) ? `${value.slice(0, ID_LENGTH)}…` : firstLine(value);

/** What fits on one line of a cell. */
const SHOWN = 240;
export const firstLine = (value: Value): string =>
  value === null
    ? "NULL"
    : typeof value === "number"
      ? String(value)
      : value.slice(0, SHOWN).replace(/\s+/g, " ");
