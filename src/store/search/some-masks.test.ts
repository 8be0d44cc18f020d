import { expect, it } from "vitest";
import { FIRST_TEXT_ID } from "./index.ts";
import { createMasks } from "./some.ts";

const text = FIRST_TEXT_ID + 3;

it("knows of every row which lists have it", () => {
  // Ids are times, so they are large and far apart.
  const far = 450_000_000;
  const masks = createMasks([[far, 5, 2], [5, text], []]);
  expect([1, 2, 5, 6, far, text, FIRST_TEXT_ID].map(masks.of)).toEqual([0, 1, 3, 0, 1, 2, 0]);
});

it("gives the rows that are worth most, the newest of equals first", () => {
  const masks = createMasks([
    [9, 7, 5],
    [text, 8, 7, 1],
  ]);
  const worth = (mask: number): number => [0, 2, 1, 3][mask] ?? 0;
  expect(masks.heaviest(worth, 4)).toEqual([7, 9, 5, text]);
  expect(masks.heaviest(worth, 100)).toEqual([7, 9, 5, text, 8, 1]);
});

it("has nothing to give for no rows", () => {
  expect(createMasks([[], []]).heaviest(() => 1, 5)).toEqual([]);
});
