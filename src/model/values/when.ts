/** Parses times as people type them (`today`, `monday`, `7d`, `2026-07-01`); a weekday is the last one, or today. */
import { AppError } from "../errors.ts";
import { memberOf } from "./member.ts";

const UNITS: Record<string, number> = { min: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** A day named without an hour means its first moment as a start, and its last as an end. */
export function parseWhen(text: string, edge: "start" | "end", now: Date): Date {
  const word = text.trim().toLowerCase();
  if (word === "now") return now;
  if (word === "today") return edgeOf(now, edge);
  if (word === "yesterday") return edgeOf(addDays(now, -1), edge);
  const weekday = WEEKDAYS.indexOf(word);
  if (weekday >= 0) return edgeOf(addDays(now, -((now.getDay() - weekday + 7) % 7)), edge);
  const [, count = "", unit = ""] = /^(\d{1,5})(min|mo|[mhdwy])$/.exec(word) ?? [];
  if (unit === "m")
    throw new AppError(
      "usage",
      `"${text}" may mean minutes or months`,
      `Write ${count}min for minutes, or ${count}mo for months`,
    );
  if (unit === "mo" || unit === "y") return addMonths(now, -Number(count) * (unit === "y" ? 12 : 1));
  if (unit !== "") return new Date(now.getTime() - Number(count) * (memberOf(UNITS, unit) ?? 0));
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word);
  if (day) {
    const date = new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
    // Date rolls 31 February over into March instead of refusing it.
    if (date.getMonth() === Number(day[2]) - 1 && date.getDate() === Number(day[3]))
      return edgeOf(date, edge);
  } else if (/^\d{4}-\d{2}-\d{2}t/.test(word)) {
    const date = new Date(text.trim());
    if (!Number.isNaN(date.getTime())) return date;
  }
  throw new AppError(
    "usage",
    `"${text}" is not a time`,
    "Use a date (2026-07-01), a date and time (2026-07-01T09:30), today, yesterday, a weekday (monday), or a time span (30min, 3h, 7d, 2w, 1mo, 1y)",
  );
}

function edgeOf(date: Date, edge: "start" | "end"): Date {
  const midnight = new Date(date.getFullYear(), date.getMonth(), date.getDate());
  return edge === "start" ? midnight : new Date(addDays(midnight, 1).getTime() - 1);
}

/** By the calendar, so that a day of 23 or 25 hours is still one day. */
function addDays(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

/** By the calendar; where the month has no such day, its last one. */
function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setDate(1);
  moved.setMonth(date.getMonth() + months);
  const last = new Date(moved.getFullYear(), moved.getMonth() + 1, 0).getDate();
  moved.setDate(Math.min(date.getDate(), last));
  return moved;
}
