import fc from "fast-check";
import { expect, it } from "vitest";
import { cjkRuns, innerWords, pairs, splitHumps, withoutCjk } from "./words.ts";

it("finds the parts of identifiers, each once, and leaves plain words alone", () => {
  expect(innerWords("The rateLimiter in parseHTTPHeader2(), see snake_case and rateLimiter.")).toBe(
    "rate limiter parse http header2",
  );
  expect(innerWords("Nothing to see here")).toBe("");
});

it("splits humps as people read them", () => {
  expect(["rateLimiter", "HTTPServer", "getURL", "äÖßX", "v2Beta"].map(splitHumps)).toEqual([
    ["rate", "limiter"],
    ["http", "server"],
    ["get", "url"],
    ["ä", "öß", "x"],
    ["v2", "beta"],
  ]);
});

it("splits any identifier the same way, with letters of ASCII and with others", () => {
  const letter = fc.constantFrom(..."abABYZ09ßÄéΣσЖж");
  fc.assert(
    fc.property(fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 12 })), (words) => {
      const parts = words.map(splitHumps).filter((split) => split.length > 1);
      const found = innerWords(words.join("-")).split(" ").filter(Boolean);
      expect(found.toSorted()).toEqual([...new Set(parts.flat())].sort());
    }),
  );
});

it("pairs CJK characters, so that a word inside a run can be found", () => {
  expect(innerWords("全文検索 と エラー")).toBe("全文 文検 検索 と エラ ラー");
  expect(pairs("検索機能")).toEqual(["検索", "索機", "機能"]);
});

it("takes words of other scripts off the CJK text they are glued to", () => {
  expect(innerWords("UTF8で保存")).toBe("で保 保存 UTF8");
  expect([cjkRuns("UTF8で保存"), withoutCjk("UTF8で保存")]).toEqual([["で保存"], ["UTF8"]]);
});

it("passes over encoded blobs", () => {
  expect(innerWords(`data ${"aB".repeat(500)} end`)).toBe("");
});
