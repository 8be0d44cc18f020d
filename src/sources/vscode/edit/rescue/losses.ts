/** What of a chat no repair could keep, in words. */
import type { Repair } from "../../../../model/plan-facts.ts";

/** Up to this many are listed one by one; all of them are among the repairs. */
const TOLD = 12;

export function toLosses(repairs: readonly Repair[]): string[] {
  const lost = repairs.filter(({ isLost }) => isLost);
  return [
    ...lost
      .slice(0, TOLD)
      .map(
        ({ path, title, line, what }) =>
          `${title ?? path}${line === undefined ? "" : `, line ${line}`}: ${what}`,
      ),
    ...(lost.length > TOLD ? [`and ${lost.length - TOLD} more places, which --json lists`] : []),
  ];
}
