import { expect, it } from "vitest";
import { formsOf, isLittleWord } from "./word-forms.ts";

it.each([
  ["migration", "migrations"],
  ["migrating", "migration"],
  ["entries", "entry"],
  ["entry", "entries"],
  ["removing", "removed"],
  ["stopped", "stop"],
  ["taxes", "tax"],
  ["translator", "translation"],
  ["Mahnung", "mahnungen"],
])("takes %s and %s for forms of one word", (word, other) => {
  expect(formsOf(word)).toContain(other);
});

it("does not take a word for a form of itself, and knows none of short words, numbers and identifiers", () => {
  expect(formsOf("limits")).not.toContain("limits");
  expect(["sql", "1204", "v2beta", "検索機能"].flatMap(formsOf)).toEqual([]);
});

it("knows the words that say nothing", () => {
  expect(["How", "the", "nicht", "don't", "it’s"].filter((word) => !isLittleWord(word))).toEqual([]);
  expect(["fix", "server's", "t", "GET", "IT"].filter(isLittleWord)).toEqual([]);
});
