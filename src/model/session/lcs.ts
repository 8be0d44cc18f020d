/**
 * The longest common subsequence of two lists, as pairs of positions (Hunt and Szymanski: fast when few items repeat).
 */

export type Pair = readonly [a: number, b: number];

interface Link {
  readonly pair: Pair;
  readonly before: Link | undefined;
}

export function longestCommon(a: readonly string[], b: readonly string[]): Pair[] {
  const [start, endA, endB] = trim(a, b);
  const placesInB = new Map<string, number[]>();
  // The last place first, so that one item of A is not taken twice in one chain.
  for (let j = endB - 1; j >= start; j--) {
    const item = b[j] ?? "";
    const places = placesInB.get(item);
    if (places) places.push(j);
    else placesInB.set(item, [j]);
  }
  leaveOutCommonest(a, placesInB, start, endA);
  /** The end of the best chain of each length: the one that stops earliest in B. */
  const ends: Link[] = [];
  for (let i = start; i < endA; i++)
    for (const j of placesInB.get(a[i] ?? "") ?? []) {
      const length = lengthBefore(ends, j);
      ends[length] = { pair: [i, j], before: ends[length - 1] };
    }
  const middle: Pair[] = [];
  for (let link = ends.at(-1); link; link = link.before) middle.push(link.pair);
  return [
    ...Array.from({ length: start }, (_, i): Pair => [i, i]),
    ...middle.reverse(),
    ...Array.from({ length: a.length - endA }, (_, i): Pair => [endA + i, endB + i]),
  ];
}

/** So many pairs of equal items are looked at. */
const MOST_PAIRS = 5_000_000;
/** Beyond that, items that occur this often in B are ignored. */
const COMMON = 64;

function leaveOutCommonest(
  a: readonly string[],
  placesInB: Map<string, number[]>,
  start: number,
  end: number,
): void {
  let pairs = 0;
  for (let i = start; i < end; i++) pairs += placesInB.get(a[i] ?? "")?.length ?? 0;
  if (pairs <= MOST_PAIRS) return;
  for (const [item, places] of placesInB) if (places.length > COMMON) placesInB.delete(item);
}

/** What both begin and end with is common without any search. */
function trim(a: readonly string[], b: readonly string[]): [start: number, endA: number, endB: number] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  return [start, endA, endB];
}

/** How many chains end before a place in B: where the place itself would go. */
function lengthBefore(ends: readonly Link[], place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.pair[1] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
