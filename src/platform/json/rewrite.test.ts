/** A changed value comes to what it should be, and everything else in it keeps its bytes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rewriteJson } from "./rewrite.ts";

/** JSON texts that `JSON.stringify` would write otherwise, or that say more than JavaScript can hold. */
const odd = fc.constantFrom(
  ...["12345678901234567890", "1.0", "1e3", "-0", "1E400", "0.10000000000000000001"],
  ...['"\\u0041"', '"\\/"', '"\\ud83d"', '{ "a" : 1.0, "a": 2.00 }', "[ ]", "[ 1.0 ,\t2 ]", "{}", "null"],
);

describe("a changed value", () => {
  it.each([
    ['{"a":1.0,"b":"long"}', { a: 1, b: "short" }, '{"a":1.0,"b":"short"}'],
    ['{ "a" : 1e3 , "b" : 2 }', { a: 1000 }, '{ "a" : 1e3 }'],
    ['{"a":1.0,"b":2.0}', { b: 2 }, '{"b":2.0}'],
    ['{"a":1.0}', { a: 1, c: [3] }, '{"a":1.0,"c":[3]}'],
    ['{"a":1,"\\u0061":2.0,"b":3}', { a: 2, b: 4 }, '{"a":1,"\\u0061":2.0,"b":4}'],
    ['{"a":1e400,"b":1}', { a: null, b: 2 }, '{"a":1e400,"b":2}'],
    ["[1.0,2.0,3.0]", [1, 3], "[1.0,3.0]"],
    ["[1.0]", [1, 2], "[1.0,2]"],
    ["[1.0]", [], "[]"],
    ["[ ]", [1], "[1 ]"],
    ["[1.0]", { a: 1 }, '{"a":1}'],
    ["1.0", 1, "1.0"],
    [
      '{"__proto__":{"x":1.0},"b":1}',
      JSON.parse('{"__proto__":{"x":1},"b":2}'),
      '{"__proto__":{"x":1.0},"b":2}',
    ],
  ])("%s", (text, after, expected) => {
    expect(rewriteJson(text, after)).toBe(expected);
  });

  it("is found in a list by what it has in common with its items", () => {
    const text = '[{"id":"a","n":1.0,"t":"x"},{"id":"b","n":2.0,"t":"y"},{"id":"c","n":3.0,"t":"z"}]';
    const after = [
      { id: "b", n: 2, t: "cut" },
      { id: "c", n: 3, t: "cut" },
    ];
    expect(rewriteJson(text, after)).toBe('[{"id":"b","n":2.0,"t":"cut"},{"id":"c","n":3.0,"t":"cut"}]');
  });

  it("may be nested deeper than any function calls itself", () => {
    const deep = (value: string): string => `${'{"a":['.repeat(20_000)}${value}${"]}".repeat(20_000)}`;
    expect(rewriteJson(deep('1.0,"x"'), JSON.parse(deep('1,"y"')))).toBe(deep('1.0,"y"'));
  });
});

it("keeps the bytes of all that stays, and comes to the value that was wanted", () => {
  const member = fc.tuple(fc.constantFrom("a", "b", "c", "\\u00e9", "d"), odd);
  const block = fc.array(member, { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(block, { maxLength: 5 }), fc.infiniteStream(fc.nat(2)), (blocks, choices) => {
      const choose = (): number => choices.next().value ?? 0;
      const toText = (members: readonly (readonly [string, string])[], id: number, said: string): string =>
        `{"id":"id-${id}",${members.map(([key, json]) => `"${key}" : ${json}, `).join("")}"said":"${said}"}`;
      const text = `{"list":[${blocks.map((each, id) => toText(each, id, "long")).join(" , ")}],"n":1.0}`;
      const kept = blocks.map((each, id) => ({ each, id, how: choose() })).filter(({ how }) => how > 0);
      const expected = kept.map(({ each, id, how }) => toText(each, id, how === 1 ? "long" : "short"));
      const after: unknown = JSON.parse(`{"list":[${expected.join()}],"n":1}`);
      const written = rewriteJson(text, JSON.parse(JSON.stringify(after)));
      expect(JSON.parse(written)).toEqual(after);
      for (const each of expected) expect(written).toContain(each);
      expect(written.endsWith('"n":1.0}')).toBe(true);
    }),
    { numRuns: 500 },
  );
});
