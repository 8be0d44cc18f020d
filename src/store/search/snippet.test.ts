import { expect, it } from "vitest";
import { MARK } from "../../model/text/marks.ts";
import { parseQuery } from "./query.ts";
import { makeSnippet, snippetOfLines } from "./snippet.ts";
import { createMatcher } from "./text-match.ts";

const snippet = (query: string, text: string): string =>
  makeSnippet(text, createMatcher(parseQuery(query).groups)(text))
    .replaceAll(MARK.open, "[")
    .replaceAll(MARK.close, "]");
const filler = "some more words that nobody asked for ".repeat(20);

it("marks every match near the place where the words stand closest together", () => {
  expect(snippet("reset connection", `reset ${filler}the connection was reset by peer, reset again`)).toBe(
    "…asked for the [connection] was [reset] by peer, [reset] again",
  );
});

it("leaves out what lies between words that are far apart", () => {
  expect(snippet("first second", `the first thing ${filler} the second thing`)).toMatch(
    /^the \[first\] thing .{30,60} … .{1,20}the \[second\] thing$/,
  );
});

it("shows the beginning of a text that matched some other variant", () => {
  expect(snippet("absent", "short text")).toBe("short text");
  expect(snippet("absent", filler)).toMatch(/^some more words.{150,230}…$/);
});

it("shows of a title and paths the lines that have most of the words", () => {
  const match = createMatcher(parseQuery("login form").groups);
  expect(snippetOfLines("A title\nsrc/login.ts\nsrc/login-form.ts\ntest/login-form.ts", match)).toBe(
    ["src", "test"]
      .map((folder) => `${folder}/${MARK.open}login${MARK.close}-${MARK.open}form${MARK.close}.ts`)
      .join("\n"),
  );
});

it("lets no text forge a mark", () => {
  expect(snippet("word", "a \u0001forged\u0002 word")).toBe("a  forged  [word]");
});

it("never cuts a character in two, neither at the edges nor around a match", () => {
  const family = "👩‍👩‍👧‍👦";
  const blob = family.repeat(40);
  const pieces = snippet("word", `${blob}word${blob}`).split(/\[word\]|…/);
  for (const piece of pieces) expect(piece.replaceAll(family, "")).toBe("");
  expect(snippet("cafe", "the cafe\u0301 there")).toBe("the [cafe\u0301] there");
});
