import { expect, it } from "vitest";
import { READ_ONLY, refusalOf } from "./refusals.ts";

const known = {
  isReadOnly: false,
  sources: [
    { source: "one", label: "One", canTake: true, canChat: true, cannot: [] },
    {
      source: "two",
      label: "Two",
      canTake: false,
      canChat: false,
      cannot: [{ change: "move", why: "Two cannot move" } as const],
    },
  ],
};
const one = { source: "one", vanishedAt: null };
const two = { source: "two" };

it("is what the source declares, for the change that is meant", () => {
  expect(refusalOf("move", [two], known)).toBe("Two cannot move");
  expect(refusalOf("move", [one], known)).toBeUndefined();
  expect(refusalOf("clone", [two], known)).toBeUndefined();
  expect(refusalOf("move", [{ source: "unknown" }], known)).toBeUndefined();
});

it("says how many of several are meant", () => {
  expect(refusalOf("move", [one, two, two], known)).toBe("Two cannot move (2 of 3 selected)");
  expect(refusalOf("move", [two, two], known)).toBe("Two cannot move (all of 2 selected)");
});

it("is that the files are gone, or that the server only reads", () => {
  const gone = { source: "one", vanishedAt: "2026-11-01T00:00:00Z" };
  expect(refusalOf("clone", [gone], known)).toContain("The files are gone");
  expect(refusalOf("undo", [], { ...known, isReadOnly: true })).toBe(READ_ONLY);
  expect(refusalOf("undo", [], known)).toBeUndefined();
});
