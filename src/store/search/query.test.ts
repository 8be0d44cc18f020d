import { expect, it } from "vitest";
import { compileQuery, parseQuery, withoutLittleWords } from "./query.ts";

it.each<[string, string]>([
  ["flaky login", '"flaky" AND "login"'],
  ['"rate limiter" fix', '({content more} : "rate limiter") AND "fix"'],
  ["a OR b c", '("a" OR "b") AND "c"'],
  ["OR a", '"a"'],
  ["login -legacy NOT old", '("login") NOT ("legacy" OR "old")'],
  ["login NOT (legacy OR old)", '("login") NOT ("legacy" OR "old")'],
  ['login -"old form"', '("login") NOT ({content more} : "old form")'],
  ["docker --platform", '"docker" AND "platform"'],
  ["auth*", '"auth" *'],
  ["src/auth/login.ts", '({content more} : "src auth login ts")'],
  ["snake_case", '(({content more} : "snake case") OR "snakecase" OR (parts : "snake case"))'],
  ["rateLimiter", '("rateLimiter" OR ({content more} : "rate limiter") OR (parts : "rate limiter"))'],
  ["rateLim*", '("rateLim" * OR ({content more} : "rate lim" *))'],
  ["検索機能", '("検索機能" OR (parts : "検索" AND parts : "索機" AND parts : "機能"))'],
  ["検", '("検" OR (parts : "検" *))'],
  ["UTF8で保存", '("UTF8で保存" OR (parts : "で保" AND parts : "保存" AND "UTF8"))'],
  ["???", ""],
  ["-only", ""],
  ['"never closed', '({content more} : "never closed")'],
])("compiles %s", (text, expression) => {
  expect(compileQuery(parseQuery(text))).toBe(expression);
});

it.each<[string, string]>([
  ["how did I fix the login", '"fix" AND "login"'],
  [
    "TypeError: x is not a function",
    '("TypeError" OR ({content more} : "type error")) AND "x" AND "function"',
  ],
  ["to be or not to be", '"to" AND "be" AND "or" AND "not" AND "to" AND "be"'],
  ['fix "the" login', '"fix" AND "the" AND "login"'],
])("asks %s without the words that say nothing, unless there are no others", (text, expression) => {
  expect(compileQuery(withoutLittleWords(parseQuery(text)))).toBe(expression);
});

it("looks for the forms of a word beside it", () => {
  const [group] = parseQuery("migration").groups;
  const term = group?.[0];
  if (!term) throw new Error("no term");
  expect(compileQuery({ groups: [[{ ...term, forms: ["migrations"] }]], not: [] })).toBe(
    '("migration" OR "migrations")',
  );
});
