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

/** "0.4 s", "3.1 s", "42 s", "2 min 5 s"; empty where it is no time at all. */
export function tookText(ms: number): string {
  if (ms < 50) return "";
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole >= 3600) return lasted(new Date(0).toISOString(), new Date(ms).toISOString());
  return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
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
