import { expect, it } from "vitest";
import { calendarOf, mondayBefore, toDate } from "./calendar.ts";

/** A Wednesday. */
const NOW = new Date(2026, 10, 18, 12);

it("has a column for each week from Monday on, up to today", () => {
  const weeks = calendarOf(new Map([["2026-11-17", 5]]), 3, NOW);
  expect(weeks.map(({ days }) => days.map((day) => day?.date.slice(5)))).toEqual([
    ["11-02", "11-03", "11-04", "11-05", "11-06", "11-07", "11-08"],
    ["11-09", "11-10", "11-11", "11-12", "11-13", "11-14", "11-15"],
    ["11-16", "11-17", "11-18", undefined, undefined, undefined, undefined],
  ]);
  expect(weeks.map(({ month }) => month)).toEqual(["Nov", undefined, undefined]);
  expect(weeks[2]?.days[1]).toMatchObject({ turns: 5, level: 1 });
  expect(toDate(mondayBefore(2, NOW))).toBe("2026-11-02");
});

it("does not let one very busy day pale the others", () => {
  const turns = new Map(
    [1, 2, 3, 4, 400].map((count, at) => [`2026-11-${String(9 + at).padStart(2, "0")}`, count]),
  );
  const levels = calendarOf(turns, 2, NOW)[0]?.days.map((day) => day?.level);
  expect(levels).toEqual([1, 1, 2, 3, 4, 0, 0]);
});
