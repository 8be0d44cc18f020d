/** Finds places in sorted lists by halving. */

/** The first index for which it holds, in a list of that size where it holds from there on; else the size. */
export function firstIndexWhere(size: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
