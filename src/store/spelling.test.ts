import { expect, it } from "vitest";
import { slipsBetween } from "./spelling.ts";

it.each<[string, string, number]>([
  ["limiter", "limiter", 0],
  ["limtier", "limiter", 1],
  ["limiterr", "limiter", 1],
  ["limter", "limiter", 1],
  ["lamiter", "limiter", 1],
  ["lmtier", "limiter", 2],
  ["login", "limiter", 3],
])("counts the slips between %s and %s", (a, b, slips) => {
  expect(slipsBetween(a, b, 2)).toBe(slips);
});
