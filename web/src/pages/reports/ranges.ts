/** The times that a report may be about, as its address names them. */
import { parseWhen } from "../../../../src/model/values/when.ts";

export const RANGES = [
  { value: "24h", label: "24 hours" },
  { value: "yesterday", label: "Since yesterday" },
  { value: "monday", label: "Since Monday" },
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
  { value: "90d", label: "90 days" },
] as const;

export type Range = (typeof RANGES)[number]["value"];

export const toRange = (text: string | undefined, otherwise: Range): Range =>
  RANGES.find(({ value }) => value === text)?.value ?? otherwise;

/** To the minute: the same report is asked for once, however often the page is drawn. */
export function sinceOf(range: Range, now: Date): string {
  const since = parseWhen(range, "start", now);
  since.setSeconds(0, 0);
  return since.toISOString();
}
