import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longestCommon } from "./lcs.ts";

/** The textbook's table, to check against. */
function lengthByTable(a: readonly string[], b: readonly string[]): number {
  const row = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    let diagonal = 0;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      row[j] = item === b[j - 1] ? diagonal + 1 : Math.max(above, row[j - 1] ?? 0);
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}

const items = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 14 });

describe("longestCommon", () => {
  it("finds pairs of equal items, in order, as many as there can be", () => {
    fc.assert(
      fc.property(items, items, (a, b) => {
        const pairs = longestCommon(a, b);
        expect(pairs.map(([i]) => a[i])).toEqual(pairs.map(([, j]) => b[j]));
        for (const [n, [i, j]] of pairs.entries()) {
          expect(i).toBeGreaterThan(pairs[n - 1]?.[0] ?? -1);
          expect(j).toBeGreaterThan(pairs[n - 1]?.[1] ?? -1);
        }
        expect(pairs).toHaveLength(lengthByTable(a, b));
      }),
      { numRuns: 500 },
    );
  });
});
