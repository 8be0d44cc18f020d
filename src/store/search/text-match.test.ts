import { expect, it } from "vitest";
import { parseQuery } from "./query.ts";
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

it("finds what the index finds in names: parts behind capitals, names inside names, words glued to CJK", () => {
  expect(found("header", "parseHTTPHeader")).toEqual([["Header"]]);
  expect(found("retry_count", "maxRetryCount")).toEqual([["RetryCount"]]);
  expect(found("utf8", "UTF8で保存")).toEqual([["UTF8"]]);
});

it("takes parts of different names for no phrase", () => {
  expect(found("max_retry", "getMax, retryNow")).toEqual([[]]);
  expect(found('"limiter sliding"', "rateLimiter slidingWindow")).toEqual([[]]);
});

it("tells letters apart that only look as if they had an accent", () => {
  expect(found("검색", "거삭 검색")).toEqual([["검색"]]);
  expect(found("かき", "がき かき")).toEqual([["かき"]]);
  expect(found("мои", "мой мои")).toEqual([["мои"]]);
});

it("finds accents however they are written, in the text and in the question", () => {
  for (const typed of ["cafes", "cafés", "cafe\u0301s"])
    expect(found(typed, "cafés, cafe\u0301s, cafe\u0301sx")).toEqual([["cafés", "cafe\u0301s"]]);
});

it("finds what begins inside something that does not fit", () => {
  expect(found('"go go"', "ago go go")).toEqual([["go go"]]);
});
