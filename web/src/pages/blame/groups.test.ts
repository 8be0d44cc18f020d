import { expect, it } from "vitest";
import { type BlamedLine, nextGroup, summaryOf, toPlaces } from "./groups.ts";

const line = (number: number, who: string | undefined, time: string | null, turn = 0): BlamedLine => ({
  line: number,
  text: "",
  session: who === undefined || who.startsWith("#") ? null : { source: "vscode", id: who, title: who },
  turn: who === undefined || who.startsWith("#") ? null : turn,
  time,
  prompt: null,
  commit: who?.startsWith("#") ? who : null,
});
const LINES = [
  line(1, "#1", "2026-01-01T00:00:00Z"),
  line(2, "a", "2026-01-03T00:00:00Z"),
  line(3, "a", "2026-01-03T00:00:00Z"),
  line(4, "a", "2026-01-05T00:00:00Z", 1),
  line(5, undefined, null),
];

it("joins lines of one turn, and says how old each is among the others", () => {
  expect(
    toPlaces({ lines: LINES, hasGit: true }).map(({ group, isFirst, isLast, heat }) => [
      group,
      isFirst,
      isLast,
      heat,
    ]),
  ).toEqual([
    [0, true, true, 0],
    [1, true, false, 0.5],
    [1, false, true, 0.5],
    [2, true, true, 1],
    [3, true, true, undefined],
  ]);
  expect(toPlaces({ lines: [line(1, "a", "2026-01-01T00:00:00Z")], hasGit: true })[0]?.heat).toBe(1);
});

it("finds the next run and the one before", () => {
  const places = toPlaces({ lines: LINES, hasGit: true });
  expect([1, 2, 3, 4, 5].map((at) => nextGroup(places, at, 1))).toEqual([2, 4, 4, 5, 5]);
  expect([1, 2, 3, 4, 5].map((at) => nextGroup(places, at, -1))).toEqual([1, 1, 2, 2, 4]);
  expect(nextGroup(places, undefined, 1)).toBe(1);
});

it("sums up who wrote how much", () => {
  expect(summaryOf({ lines: LINES, total: 5, unread: 0, hasGit: true })).toBe(
    "3 of 5 lines by 1 session · 1 by commits · 1 not committed",
  );
  expect(summaryOf({ lines: LINES.slice(0, 1), total: 1, unread: 2, hasGit: true })).toBe(
    "no session wrote any of 1 line · 1 by commits · 2 sessions could not be read",
  );
});

it("says of no line that it is not committed where git has nothing to say", () => {
  const asked = { lines: LINES, total: 5, unread: 0 };
  expect(summaryOf({ ...asked, hasGit: false })).toMatch(/ · 1 by others$/);
  const isUncommitted = (hasGit: boolean) =>
    toPlaces({ lines: LINES, hasGit }).map((place) => place.isUncommitted);
  expect(isUncommitted(true)).toEqual([false, false, false, false, true]);
  expect(isUncommitted(false)).not.toContain(true);
});
