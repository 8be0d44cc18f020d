import fc from "fast-check";
import { expect, it } from "vitest";
import { createBridges } from "./bridges.ts";
import { NONE, type RowTable } from "./row-table.ts";

const tableOf = (times: readonly (number | undefined)[]): RowTable =>
  ({ time: (row: number) => times[row], place: (row: number) => row }) as unknown as RowTable;

it("finds for any rows what looking at each of them finds, however many are taken meanwhile", () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }), {
        minLength: 1,
        maxLength: 30,
      }),
      fc.array(fc.nat({ max: 29 }), { maxLength: 40 }),
      (seconds, asked) => {
        const times = seconds.map((second) => (second === undefined ? undefined : second * 1000));
        const rows = times.map((_, row) => row);
        const taken = new Uint8Array(rows.length);
        const bridges = createBridges(tableOf(times), rows, taken);
        for (const each of asked) {
          const row = each % rows.length;
          const time = times[row];
          const free = rows.filter((one) => !taken[one]);
          const inTime = free
            .filter(
              (one) =>
                time !== undefined && (times[one] ?? Infinity) <= time && time - (times[one] ?? 0) <= 5000,
            )
            .reduce(
              (best, one) => (best === NONE || (times[one] ?? 0) > (times[best] ?? 0) ? one : best),
              NONE,
            );
          expect(bridges.inTime(row)).toBe(inTime);
          expect(bridges.inFile(row)).toBe(free.findLast((one) => one < row) ?? NONE);
          taken[row] = 1;
        }
      },
    ),
    { numRuns: 500 },
  );
});

it("passes over rows that are taken once, not for each that is asked for", () => {
  const size = 60_000;
  const taken = new Uint8Array(size);
  const rows = Array.from({ length: size }, (_, row) => row);
  const bridges = createBridges(tableOf(rows.map(() => 0)), rows, taken);
  for (let row = 0; row < size - 1; row++) {
    expect(bridges.inTime(size - 1) === row && bridges.inFile(size - 1) === size - 2).toBe(true);
    taken[row] = 1;
    if (row === size - 3) return;
  }
});
