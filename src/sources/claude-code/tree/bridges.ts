/** Finds the row that replaces a missing parent: the one before it in time, or in the file. */
import { firstIndexWhere } from "../../../model/values/halving.ts";
import { NONE, type RowTable } from "./row-table.ts";

/** How much older a row may be to stand in; Claude Code's own number. */
const SECONDS_BEFORE = 5000;

export interface Bridges {
  /** Claude Code's choice: the newest row before this one, if it was written within seconds; of equals, the first. */
  inTime(row: number): number;
  /** The row written before this one, however long ago. */
  inFile(row: number): number;
}

/** `rows` by their places; those that are `taken`, which may grow meanwhile, stand in for nothing. */
export function createBridges(table: RowTable, rows: readonly number[], taken: Uint8Array): Bridges {
  const timeOf = (row: number): number => table.time(row) as number;
  let byTime: { readonly rows: readonly number[]; readonly free: (from: number) => number } | undefined;
  const timed = () => {
    if (!byTime) {
      const all = rows.filter((row) => table.time(row) !== undefined).sort((a, b) => timeOf(a) - timeOf(b));
      byTime = { rows: all, free: createFreePlaces(all.length, (at) => taken[all[at] as number] === 1, 1) };
    }
    return byTime;
  };
  const freeBefore = createFreePlaces(rows.length, (at) => taken[rows[at] as number] === 1, -1);
  return {
    inTime(row) {
      const time = table.time(row);
      if (time === undefined) return NONE;
      const { rows: all, free } = timed();
      // Rows of the same time, the latest time first; of each the first that is free.
      for (let end = firstIndex(all, (one) => timeOf(one) > time); end > 0; ) {
        const latest = timeOf(all[end - 1] as number);
        if (time - latest > SECONDS_BEFORE) return NONE;
        const begin = firstIndex(all, (one) => timeOf(one) >= latest);
        const at = free(begin);
        if (at < end) return all[at] as number;
        end = begin;
      }
      return NONE;
    },
    inFile: (row) =>
      rows[freeBefore(firstIndex(rows, (one) => table.place(one) >= table.place(row)) - 1)] ?? NONE,
  };
}

/**
 * The next free place from one on, in one direction; one beyond the end where there is none. Places are never given
 * free, so what was passed over once is passed over at one go from then on.
 */
function createFreePlaces(
  size: number,
  isTaken: (at: number) => boolean,
  step: 1 | -1,
): (from: number) => number {
  const further = new Map<number, number>();
  return (from) => {
    const passed: number[] = [];
    let at = from;
    while (at >= 0 && at < size && isTaken(at)) {
      passed.push(at);
      at = further.get(at) ?? at + step;
    }
    for (const each of passed) further.set(each, at);
    return at;
  };
}

const firstIndex = (list: readonly number[], holds: (row: number) => boolean): number =>
  firstIndexWhere(list.length, (at) => holds(list[at] as number));
