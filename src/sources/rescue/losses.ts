/** The bytes of logs that no repair could keep, in words. */
import { basename } from "node:path";
import type { Repair } from "../../model/plan-facts.ts";

/** Up to this many are listed one by one; all of them are among the repairs. */
const TOLD = 8;

export function toLosses(repairs: readonly Repair[]): string[] {
  const lost = repairs.filter(({ isLost }) => isLost);
  return [
    ...lost.slice(0, TOLD).map(toLoss),
    ...(lost.length > TOLD ? [`and ${lost.length - TOLD} more places, which --json lists`] : []),
  ];
}

const toLoss = ({ path, line, start = 0, end = 0, what }: Repair): string =>
  `bytes ${start} to ${end - 1} of ${basename(path)} (line ${line}): ${what}`;
