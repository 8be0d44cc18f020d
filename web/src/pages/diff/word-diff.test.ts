/** Marks are there where they help, and both texts stay whole. */
import { expect, it } from "vitest";
import { type Span, wordDiff } from "./word-diff.ts";

const text = (spans: readonly Span[]): string => spans.map((span) => span.text).join("");
const marked = (spans: readonly Span[]): string[] =>
  spans.filter(({ isSame }) => !isSame).map((span) => span.text);

it("marks the words that only one of them has", () => {
  const found = wordDiff("Use a cookie for the cart, please.", "Use the session store for the cart, please.");
  expect(found && marked(found.a)).toEqual(["a cookie"]);
  expect(found && marked(found.b)).toEqual(["the session store"]);
});

it("keeps every character", () => {
  const [a, b] = ["eins zwei\n\n  drei 数据库 four", "eins 2\n\ndrei 数据库, four five"];
  const found = wordDiff(a, b);
  expect(found && [text(found.a), text(found.b)]).toEqual([a, b]);
});

it("gives no marks to texts that are the same, have little in common, or are very long", () => {
  expect(wordDiff("same", "same")).toBeUndefined();
  expect(wordDiff("one two three four", "five six seven eight")).toBeUndefined();
  expect(wordDiff("", "...")).toBeUndefined();
  expect(wordDiff("word ".repeat(4000), `${"word ".repeat(4000)}more`)).toBeUndefined();
});
