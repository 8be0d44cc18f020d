/** Times of turns: the hour matters, the day only where it is not today. */
import { clock, day } from "../../../../src/present/text/measure.ts";

const DAY_MS = 24 * 60 * 60_000;

/** "16:42", "yesterday, 16:42", "3 Nov, 16:42" */
export function when(iso: string, now: Date): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return "";
  const midnight = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  const days = Math.round((midnight(now) - midnight(then)) / DAY_MS);
  const name = days === 0 ? "today" : days === 1 ? "yesterday" : day(then, now);
  return `${name}, ${clock(iso)}`;
}

/** "8 s", "2 min", "1 h 5 min"; empty where it is not known or no time at all. */
export function lasted(from: string | null, to: string | null): string {
  const seconds = Math.round((Date.parse(to ?? "") - Date.parse(from ?? "")) / 1000);
  if (!(seconds > 0)) return "";
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
