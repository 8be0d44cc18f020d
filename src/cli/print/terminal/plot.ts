/** Plots made of characters: bars beside names, and a calendar whose days are shaded by what was done. */

import type { Page } from "../../../present/page.ts";
import { bar } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { cut, pad, widthOf } from "../../../present/text/text.ts";

export interface BarRow {
  readonly name: string;
  readonly value: number;
  /** The value in words. */
  readonly said: string;
}

/** A title and one bar a row, all in `width` cells; the longest bar is the largest value. */
export function barBlock(title: string, rows: readonly BarRow[], width: number, style: Style): string[] {
  const said = Math.max(0, ...rows.map((row) => widthOf(row.said)));
  const longest = Math.max(0, ...rows.map((row) => widthOf(row.name)));
  const name = Math.min(longest, Math.max(10, Math.floor(width * 0.5)));
  const room = Math.max(0, width - name - said - 4);
  const most = Math.max(1, ...rows.map((row) => row.value));
  return [
    style.bold(cut(title, width)),
    ...rows.map((row) => {
      const drawn = bar(row.value / most, room);
      const space = " ".repeat(Math.max(0, room - widthOf(drawn)));
      return `${pad(cut(row.name, name), name)}  ${style.cyan(drawn)}${space}  ${row.said.padStart(said)}`;
    }),
  ];
}

/** Blocks beside each other where two fit, below each other where they do not. */
export function inColumns(blocks: readonly (readonly string[])[], width: number): string[] {
  const lines: string[] = [];
  for (let i = 0; i < blocks.length; i += 2) {
    const [left = [], right = []] = [blocks[i], blocks[i + 1]];
    if (i > 0) lines.push("");
    for (let row = 0; row < Math.max(left.length, right.length); row++)
      lines.push(`${pad(left[row] ?? "", width)}${" ".repeat(GUTTER)}${right[row] ?? ""}`.trimEnd());
  }
  return lines;
}

/** Between two columns of blocks. */
export const GUTTER = 4;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Mon", "", "Wed", "", "Fri", "", "Sun"];
const SHADES = ["░", "▒", "▓", "█"];
const LABEL = 5;
const FEWEST_WEEKS = 12;
const MOST_WEEKS = 53;

/** A row a weekday, a column a week, the last one holding `now`; shades tell how much more than other days. */
export function calendar(
  values: ReadonlyMap<string, number>,
  what: string,
  now: Date,
  { style, columns }: Page,
): string[] {
  const fitting = Math.min(MOST_WEEKS, Math.floor((columns - LABEL) / 2));
  const monday = addDays(now, -((now.getDay() + 6) % 7));
  const [first = dayKey(now)] = [...values.keys()].sort();
  let weeks = Math.min(FEWEST_WEEKS, fitting);
  while (weeks < fitting && dayKey(addDays(monday, -7 * (weeks - 1))) > first) weeks++;
  const starts = Array.from({ length: weeks }, (_, i) => addDays(monday, -7 * (weeks - 1 - i)));
  const shown = starts.flatMap((start) =>
    WEEKDAYS.map((_, weekday) => values.get(dayKey(addDays(start, weekday))) ?? 0),
  );
  const most = Math.max(1, ...shown);
  const cell = (date: Date): string => {
    if (dayKey(date) > dayKey(now)) return " ";
    const value = values.get(dayKey(date)) ?? 0;
    return value === 0 ? style.dim("·") : style.cyan(SHADES[Math.ceil((value / most) * 4) - 1] ?? "█");
  };
  return [
    style.dim(" ".repeat(LABEL) + monthLine(starts)),
    ...WEEKDAYS.map((name, weekday) =>
      `${style.dim(name.padEnd(LABEL))}${starts.map((start) => cell(addDays(start, weekday))).join(" ")}`.trimEnd(),
    ),
    ...[legend(most, what, style), style.dim(`at most ${most} ${what}`)]
      .map((line) => " ".repeat(LABEL) + line)
      .filter((line) => widthOf(line) <= columns)
      .slice(0, 1),
  ];
}

/** "· none  ░ 1–3  ▒ 4–6  ▓ 7–9  █ 10–12": what the shades of a calendar stand for. */
function legend(most: number, what: string, style: Style): string {
  const shades = SHADES.map((shade, i) => {
    const [from, to] = [Math.floor((most * i) / 4) + 1, Math.floor((most * (i + 1)) / 4)];
    return from > to ? "" : `${style.cyan(shade)} ${style.dim(from === to ? String(from) : `${from}–${to}`)}`;
  });
  return `${[style.dim("· none"), ...shades.filter(Boolean)].join("  ")} ${style.dim(what)}`;
}

/** Each month's name above the week it begins in; one that ends before there is room for its name has none. */
function monthLine(starts: readonly Date[]): string {
  const months = starts.map((start) => addDays(start, 6).getMonth());
  const begins = months.flatMap((month, week) => (month === months[week - 1] ? [] : [week]));
  let line = "";
  for (const [i, week] of begins.entries())
    if ((begins[i + 1] ?? starts.length) - week >= 2)
      line = line.padEnd(week * 2) + MONTHS[months[week] ?? 0];
  return line;
}

/** By the calendar, so that a day of 23 or 25 hours is still one day. */
const addDays = (date: Date, days: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** "2026-11-09", as the store dates its days. */
export const dayKey = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
