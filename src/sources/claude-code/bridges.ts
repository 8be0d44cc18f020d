/** Which row stands in for one that is missing: the one before it in time, or in the file. */
import type { Row } from "./rows.ts";

/** How much older a row may be to stand in; Claude Code's own number. */
const SECONDS_BEFORE = 5000;

export interface Bridges {
  /** Claude Code's choice: the newest row before this one, if it was written within seconds; of equals, the first. */
  inTime(row: Row): Row | undefined;
  /** The row written before this one, however long ago. */
  inFile(row: Row): Row | undefined;
}

/** `rows` in file order; those in `taken`, which may grow meanwhile, stand in for nothing. */
export function createBridges(rows: readonly Row[], taken: ReadonlySet<Row>): Bridges {
  let byTime: { row: Row; time: number }[] | undefined;
  const timed = (): { row: Row; time: number }[] => {
    byTime ??= rows
      .flatMap((row) => (row.time === undefined ? [] : [{ row, time: row.time }]))
      .sort((a, b) => a.time - b.time);
    return byTime;
  };
  return {
    inTime({ time }) {
      if (time === undefined) return undefined;
      const all = timed();
      let best: { row: Row; time: number } | undefined;
      for (let at = firstIndex(all, (one) => one.time > time) - 1; at >= 0; at--) {
        const one = all[at];
        if (!one || time - one.time > SECONDS_BEFORE || (best && one.time < best.time)) break;
        if (!taken.has(one.row)) best = one;
      }
      return best?.row;
    },
    inFile({ start }) {
      let at = firstIndex(rows, (row) => row.start >= start) - 1;
      while (at >= 0 && taken.has(rows[at] as Row)) at--;
      return rows[at];
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
