/** The time that a report is about, in words. */
import { clock, day } from "./measure.ts";

export interface RangeWords {
  readonly since: string;
  readonly until: string;
}

/** "17 Nov 09:30 to 18 Nov 09:30"; the years where they are not the same. */
export function rangeText({ since, until }: RangeWords): string {
  const [from, to] = [new Date(since), new Date(until)];
  return `${day(from, to)} ${clock(since)} to ${day(to, from)} ${clock(until)}`;
}
