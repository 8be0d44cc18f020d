import { expect, it } from "vitest";
import { MARK } from "../../model/text/marks.ts";
import { matchesIn, painted, unmarked } from "./marks.ts";

const marked = (text: string): string => text.replaceAll("[", MARK.open).replaceAll("]", MARK.close);
const paint = (word: string): string => `<${word}>`;

it("paints what matched and nothing that only looks like it", () => {
  expect(painted(marked("concatenate the [cat], the\n [cat]"), 80, paint)).toBe(
    "concatenate the <cat>, the <cat>",
  );
});

it("cuts to a width and still paints what is left of a match", () => {
  expect(painted(marked("a long [needle] here"), 11, paint)).toBe("a long <nee…>");
  expect(painted(marked("a long [needle] here"), 6, paint)).toBe("a lon…");
});

it("makes control characters visible and drops the marks for programs", () => {
  expect(painted(marked("\u001b[31m"), 80, paint)).toContain("␛");
  expect(unmarked(marked("a [b] c"))).toBe("a b c");
});

it("says where the matches are in the text without its marks", () => {
  const snippet = marked("a [long] and [lon]ger b");
  expect(matchesIn(snippet).map(({ start, end }) => unmarked(snippet).slice(start, end))).toEqual([
    "long",
    "lon",
  ]);
  expect(matchesIn("nothing")).toEqual([]);
  expect(matchesIn(marked("[]x"))).toEqual([]);
});
