/** Which row stands in for one that is missing: the one before it in time, or in the file. */
import { NONE, type RowTable } from "./row-table.ts";

/** How much older a row may be to stand in; Claude Code's own number. */
const SECONDS_BEFORE = 5000;

export interface Bridges {
  /** Claude Code's choice: the newest row before this one, if it was written within seconds; of equals, the first. */
  inTime(row: number): number;
  /** The row written before this one, however long ago. */
  inFile(row: number): number;
}

/** `rows` in file order; those that are `taken`, which may grow meanwhile, stand in for nothing. */
export function createBridges(table: RowTable, rows: readonly number[], taken: Uint8Array): Bridges {
  const timeOf = (row: number): number => table.time(row) as number;
  let byTime: number[] | undefined;
  const timed = (): number[] => {
    byTime ??= rows.filter((row) => table.time(row) !== undefined).sort((a, b) => timeOf(a) - timeOf(b));
    return byTime;
  };
  return {
    inTime(row) {
      const time = table.time(row);
      if (time === undefined) return NONE;
      const all = timed();
      let best = NONE;
      for (let at = firstIndex(all, (one) => timeOf(one) > time) - 1; at >= 0; at--) {
        const one = all[at] as number;
        if (time - timeOf(one) > SECONDS_BEFORE || (best !== NONE && timeOf(one) < timeOf(best))) break;
        if (!taken[one]) best = one;
      }
      return best;
    },
    inFile(row) {
      let at = firstIndex(rows, (one) => one >= row) - 1;
      while (at >= 0 && taken[rows[at] as number]) at--;
      return rows[at] ?? NONE;
    },
  };
}

/** The first index for which it holds, in a list where it holds from there on; found by halving. */
function firstIndex<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
