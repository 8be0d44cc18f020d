import fc from "fast-check";
import { expect, it } from "vitest";
import { eachString } from "./strings.ts";

const stringsIn = (text: string): [string, string][] => {
  const json = Buffer.from(text);
  const found: [string, string][] = [];
  eachString(json, ({ path, start, end }) =>
    found.push([path.join("."), JSON.parse(json.toString("utf8", start, end))]),
  );
  return found;
};

it("gives every string value with the members that lead to it", () => {
  const text = String.raw`{ "a" : "1", "b":{"c":["x",{"d":"y\\"},[["z"]]],"\u0065":"\"{é"} ,"n":1.50,"t":true}`;
  expect(stringsIn(text)).toEqual([
    ["a", "1"],
    ["b.c", "x"],
    ["b.c.d", "y\\"],
    ["b.c", "z"],
    ["b.e", '"{é'],
  ]);
});

it("finds in any JSON what a parser finds", () => {
  const walk = (value: unknown, path: readonly string[], found: [string, string][]): void => {
    if (typeof value === "string") found.push([path.join("."), value]);
    else if (Array.isArray(value)) for (const each of value) walk(each, path, found);
    else if (value !== null && typeof value === "object")
      for (const [key, each] of Object.entries(value)) walk(each, [...path, key], found);
  };
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      const expected: [string, string][] = [];
      walk(JSON.parse(text), [], expected);
      expect(stringsIn(text)).toEqual(expected);
    }),
  );
});
