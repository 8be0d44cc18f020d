import { expect, it } from "vitest";
import { changeTags, countTags, LONGEST_TAG, toTag, toTags } from "./tags.ts";

it.each([
  ["Bug", "bug"],
  ["  to   review\t", "to review"],
  ["ÄRGER", "ärger"],
  ["e\u0301te\u0301", "été"],
  ["#42", "#42"],
])("keeps %j as %j", (typed, kept) => {
  expect(toTag(typed)).toBe(kept);
});

it.each([
  ["", "at least one character"],
  [" \n ", "at least one character"],
  ["a,b", "cannot have"],
  ["a\u0007b", "cannot have"],
  ["a\u202eb", "cannot have"],
  ["x".repeat(LONGEST_TAG + 1), `has ${LONGEST_TAG + 1}`],
])("refuses %j", (typed, why) => {
  expect(() => toTag(typed)).toThrow(
    expect.objectContaining({ code: "usage", message: expect.stringContaining(why) }),
  );
});

it("counts characters, not code units", () => {
  expect(toTag("🧵".repeat(LONGEST_TAG))).toHaveLength(LONGEST_TAG * 2);
});

it("takes spellings of one tag as one", () => {
  expect(toTags(["Bug", "bug ", "other"])).toEqual(["bug", "other"]);
});

it("adds and removes, in alphabetical order", () => {
  expect(changeTags(["b", "c"], { add: ["a", "b"], remove: ["c", "never there"] })).toEqual(["a", "b"]);
});

it("counts how many sessions have each, most first", () => {
  const session = (id: string, ...tags: string[]) => ({ source: "vscode", id, tags });
  expect(countTags([session("1", "z", "a"), session("2", "z"), session("3", "b")])).toEqual([
    { tag: "z", count: 2 },
    { tag: "a", count: 1 },
    { tag: "b", count: 1 },
  ]);
});
