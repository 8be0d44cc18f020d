/** One line that says how far something is: a bar, and what is known of its pace. */
import { amount, bytes } from "../../present/text/measure.ts";
import { widthOf } from "../../present/text/text.ts";

export interface Step {
  readonly done: number;
  readonly total: number;
  /** Sessions out of how many, when `done` and `total` are their bytes. */
  readonly sessions?: { readonly done: number; readonly total: number };
}

const BAR = { wide: 24, narrow: 12 };
/** Before this there is too little to tell the pace by. */
const PACE_MS = 400;

/** What does not fit is left out, the least important first. */
export function printProgress(what: string, step: Step, elapsedMs: number, columns: number): string {
  const share = step.total === 0 ? 0 : Math.min(1, step.done / step.total);
  const size = columns < 100 ? BAR.narrow : BAR.wide;
  const filled = Math.round(share * size);
  const bar = "█".repeat(filled) + "░".repeat(size - filled);
  const more: string[] = [];
  if (step.sessions) more.push(`${amount(step.sessions.done)} of ${amount(step.sessions.total)} sessions`);
  if (elapsedMs >= PACE_MS && step.done > 0) {
    if (step.sessions) more.push(`${bytes((step.done / elapsedMs) * 1000)}/s`);
    more.push(`${duration((elapsedMs / step.done) * (step.total - step.done))} left`);
  }
  let line = `${what} ${bar} ${Math.floor(share * 100)}%`;
  for (const fact of more) if (widthOf(line) + 2 + widthOf(fact) < columns) line += `  ${fact}`;
  return line.slice(0, columns - 1);
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  return seconds < 90 * 60 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
