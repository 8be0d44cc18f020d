import { expect, it } from "vitest";
import { compileAny, compileQuery, parseQuery } from "./search-query.ts";

const compile = (text: string, beginnings = false): string => compileQuery(parseQuery(text), { beginnings });

it.each<[string, string]>([
  ["flaky login", '"flaky" AND "login"'],
  ['"rate limiter" fix', '"rate limiter" AND "fix"'],
  ["a OR b c", '("a" OR "b") AND "c"'],
  ["login -legacy NOT old", '("login") NOT ("legacy" OR "old")'],
  ["auth*", '"auth" *'],
  ["src/auth/login.ts", '"src auth login ts"'],
  ["snake_case", '"snake case"'],
  ["rateLimiter", '("rateLimiter" OR "rate Limiter")'.replace("rate Limiter", "rate limiter")],
  [
    "TypeError: x is not a function",
    '"TypeError" AND "x" AND "is" AND "not" AND "a" AND "function"'.replace(
      '"TypeError"',
      '("TypeError" OR "type error")',
    ),
  ],
  ["検索機能", '("検索機能" OR (parts : "検索" AND parts : "索機" AND parts : "機能"))'],
  ["???", ""],
  ['"never closed', '"never closed"'],
])("compiles %s", (text, expression) => {
  expect(compile(text)).toBe(expression);
});

it("widens words to their beginnings when asked, but neither quoted nor very short ones", () => {
  expect(compile('rateLim "exact words" go', true)).toBe(
    '("rateLim" * OR "rate lim" *) AND "exact words" AND "go"',
  );
});

it("can look for any of the words", () => {
  expect(compileAny(parseQuery("one two"), { beginnings: false })).toBe('("one" OR "two")');
});
