import { expect, it } from "vitest";
import { printed } from "../text/printed.ts";
import { memberOf, setMember } from "./member.ts";

const INHERITED = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];

it("knows own members only, whatever they are called", () => {
  for (const name of INHERITED) {
    const object: Record<string, unknown> = { a: 1 };
    expect(memberOf(object, name), name).toBeUndefined();
    setMember(object, name, { polluted: true });
    expect(memberOf(object, name), name).toEqual({ polluted: true });
    expect(Object.keys(object)).toEqual(["a", name]);
    expect(object.polluted).toBeUndefined();
  }
});

it("prints what JavaScript would, and what it would not", () => {
  expect([1, null, undefined, "a", ["b", 2], {}].map(printed)).toEqual([
    "1",
    "null",
    "undefined",
    "a",
    "b,2",
    "[object Object]",
  ]);
  expect(printed(JSON.parse('{"toString":1,"valueOf":null}'))).toBe("[object Object]");
  expect(printed(JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`))).toBe("[object Array]");
});
