/** Byte-pair merging: the pair of neighbours with the lowest rank becomes one token, until no pair has a rank. */
import { NO_RANK, type RankTable } from "./rank-table.ts";

/** Up to here looking through all pairs for the lowest is faster than keeping them in order. */
const SHORT = 96;

/** How many tokens the bytes from `start` to `end` become. */
export function createMerge(table: RankTable): (bytes: Uint8Array, start: number, end: number) => number {
  const ranks = new Int32Array(SHORT);
  const starts = new Int32Array(SHORT + 2);

  const mergeShort = (bytes: Uint8Array, start: number, end: number): number => {
    let parts = end - start;
    for (let i = 0; i <= parts; i++) starts[i] = start + i;
    const rankAt = (i: number): number =>
      i + 2 > parts ? NO_RANK : table.rankOf(bytes, starts[i] as number, starts[i + 2] as number);
    for (let i = 0; i < parts; i++) ranks[i] = rankAt(i);
    while (parts > 1) {
      let lowest = NO_RANK;
      let at = -1;
      for (let i = 0; i < parts - 1; i++) {
        const rank = ranks[i] as number;
        if (rank !== NO_RANK && (at < 0 || rank < lowest)) {
          lowest = rank;
          at = i;
        }
      }
      if (at < 0) return parts;
      starts.copyWithin(at + 1, at + 2, parts + 1);
      ranks.copyWithin(at, at + 1, parts);
      parts--;
      ranks[at] = rankAt(at);
      if (at > 0) ranks[at - 1] = rankAt(at - 1);
    }
    return parts;
  };

  return (bytes, start, end) =>
    end - start <= SHORT ? mergeShort(bytes, start, end) : mergeLong(table, bytes.subarray(start, end));
}

/** The same with the pairs in a heap: a word of a megabyte takes a second, and not the square of it. */
function mergeLong(table: RankTable, bytes: Uint8Array): number {
  const { length } = bytes;
  const next = new Int32Array(length + 1);
  const before = new Int32Array(length + 1);
  /** Of the pair that begins here, as it is now: what the heap says of it may be out of date. */
  const ranks = new Int32Array(length);
  const heap = new PairHeap(length);
  const rankAt = (at: number): number => {
    const middle = next[at] as number;
    return middle >= length ? NO_RANK : table.rankOf(bytes, at, next[middle] as number);
  };
  for (let at = 0; at <= length; at++) {
    next[at] = at + 1;
    before[at] = at - 1;
  }
  for (let at = 0; at < length; at++) {
    ranks[at] = rankAt(at);
    if (ranks[at] !== NO_RANK) heap.push(ranks[at] as number, at);
  }
  let parts = length;
  for (;;) {
    const lowest = heap.pop();
    if (lowest === undefined) return parts;
    const at = lowest % POSITIONS;
    if (ranks[at] !== (lowest - at) / POSITIONS) continue;
    const gone = next[at] as number;
    const after = next[gone] as number;
    next[at] = after;
    before[after] = at;
    ranks[gone] = NO_RANK;
    parts--;
    for (const changed of [at, before[at] as number]) {
      if (changed < 0) continue;
      ranks[changed] = rankAt(changed);
      if (ranks[changed] !== NO_RANK) heap.push(ranks[changed] as number, changed);
    }
  }
}

/** A pair is one number, so that the lowest rank comes first, and of equal ones the leftmost. */
const POSITIONS = 2 ** 31;

class PairHeap {
  #pairs: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#pairs = new Float64Array(capacity + 16);
  }

  push(rank: number, at: number): void {
    if (this.#size === this.#pairs.length) {
      const larger = new Float64Array(this.#size * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    const pairs = this.#pairs;
    const pair = rank * POSITIONS + at;
    let hole = this.#size++;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = pairs[parent] as number;
      if (above <= pair) break;
      pairs[hole] = above;
      hole = parent;
    }
    pairs[hole] = pair;
  }

  pop(): number | undefined {
    if (this.#size === 0) return undefined;
    const pairs = this.#pairs;
    const lowest = pairs[0];
    const last = pairs[--this.#size] as number;
    let hole = 0;
    for (;;) {
      let child = hole * 2 + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && (pairs[child + 1] as number) < (pairs[child] as number)) child++;
      if ((pairs[child] as number) >= last) break;
      pairs[hole] = pairs[child] as number;
      hole = child;
    }
    pairs[hole] = last;
    return lowest;
  }
}
