import { expect, it } from "vitest";
import { copiesText, remarksOn, restOf, titleExcerpt, wordsOf } from "./hit-words.ts";
import type { Hit } from "./search-query.ts";

const hit = (fields: Partial<Hit>): Hit => ({
  session: { source: "vscode", id: "1", title: "Flaky login test" },
  turn: null,
  time: null,
  where: "session",
  label: null,
  snippet: "",
  matches: [],
  score: 1,
  alsoIn: [],
  ...fields,
});

const about = hit({
  snippet: "Flaky login test\nsrc/login.ts",
  matches: [
    { start: 6, end: 11 },
    { start: 21, end: 26 },
  ],
});

it("marks the title where the title matched, and says the rest below it", () => {
  expect(titleExcerpt([about])).toEqual({ text: "Flaky login test", matches: [{ start: 6, end: 11 }] });
  expect(restOf(about)).toEqual([{ text: "src/login.ts", matches: [{ start: 4, end: 9 }] }]);
  expect(wordsOf(about)).toEqual(["login"]);
});

it("leaves what was said in a turn as it is", () => {
  const said = hit({ where: "turn", turn: 3, snippet: "Flaky\nlogin", matches: [{ start: 6, end: 11 }] });
  expect(titleExcerpt([said])).toBeUndefined();
  expect(restOf(said)).toEqual([{ text: "Flaky\nlogin", matches: [{ start: 6, end: 11 }] }]);
});

it("says what was respelt, missing, partial, optional, and copied", () => {
  const remarks = remarksOn({
    schemaVersion: 1,
    hits: [],
    partial: true,
    respelt: [{ typed: "lgoin", used: "login" }],
    missing: ["zzz"],
    optional: ["the"],
    nextCursor: null,
  });
  expect(remarks).toEqual([
    "Nothing was found for “lgoin”; these are for “login”.",
    "Nothing was found for “zzz”.",
    "No turn has all the words; these have some.",
    "“the” need not be in a hit; quotation marks require it.",
  ]);
  const copy = { source: "vscode", id: "2", title: "" };
  expect(copiesText([hit({ alsoIn: [copy] }), hit({ alsoIn: [copy] })])).toBe("also in 1 copy");
  expect(copiesText([hit({})])).toBeUndefined();
});
