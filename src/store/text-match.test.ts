import { expect, it } from "vitest";
import { parseQuery } from "./search-query.ts";
import { createMatcher, fold } from "./text-match.ts";

const found = (query: string, text: string): string[][] =>
  createMatcher(parseQuery(query).groups)(text).map((spans) =>
    spans.map(({ start, end }) => text.slice(start, end)),
  );

it("finds whole words only, whatever their case and accents", () => {
  expect(found("limit grosse", "Limit, limits, unlimited; Größe, GROSSE")).toEqual([["Limit"], ["GROSSE"]]);
  expect(found("cafe", "Café")).toEqual([["Café"]]);
});

it("finds phrases across punctuation, and beginnings when asked", () => {
  expect(found('"connection reset" auth*', "connection.\n  reset by authority")).toEqual([
    ["connection.\n  reset"],
    ["auth"],
  ]);
});

it("finds the parts of identifiers, and identifiers written in parts", () => {
  expect(found("limiter", "the rateLimiter")).toEqual([["Limiter"]]);
  expect(found("rateLimiter", "rate_limiter and RATE LIMITER")).toEqual([["rate_limiter", "RATE LIMITER"]]);
});

it("finds runs of scripts without spaces inside longer ones", () => {
  expect(found("検索", "全文検索機能")).toEqual([["検索"]]);
});

it("folds without moving anything", () => {
  expect(fold("ÄÖ İ ﬁ 😀 X")).toHaveLength("ÄÖ İ ﬁ 😀 X".length);
});
