import { expect, it } from "vitest";
import { periodsBetween } from "./stats.ts";

it("names every day, week and month in a row, over months, years and leap days", () => {
  expect(periodsBetween("day", "2028-02-28", "2028-03-01")).toEqual([
    "2028-02-28",
    "2028-02-29",
    "2028-03-01",
  ]);
  expect(periodsBetween("week", "2026-12-28", "2027-01-11")).toEqual([
    "2026-12-28",
    "2027-01-04",
    "2027-01-11",
  ]);
  expect(periodsBetween("month", "2026-11", "2027-02")).toEqual(["2026-11", "2026-12", "2027-01", "2027-02"]);
  expect(periodsBetween("day", "2026-11-09", "2026-11-09")).toEqual(["2026-11-09"]);
});

it("ends, also at the end of the years that have four digits, and for what is no date", () => {
  expect(periodsBetween("day", "9999-12-30", "9999-12-31")).toEqual(["9999-12-30", "9999-12-31"]);
  expect(periodsBetween("month", "9999-12", "9999-12")).toEqual(["9999-12"]);
  expect(periodsBetween("day", "soon", "2026-11-09")).toEqual([]);
  expect(periodsBetween("day", "2026-11-09", "later")).toEqual([]);
});
