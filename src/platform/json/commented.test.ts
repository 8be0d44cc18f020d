/** Settings with comments: what may stand in them, and that a change touches one member alone. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commentedValue, NotJson, readCommented, removeCommented, setCommented } from "./commented.ts";

const ENTRY = { command: "node", args: ["x"] };

describe("a member that is set", () => {
  it.each([
    ["{}", '{\n  "s": {\n    "r": 1\n  }\n}'],
    ["{\n}\n", '{\n  "s": {\n    "r": 1\n  }\n}\n'],
    ['{ "a": 1 }', '{ "a": 1, "s": {"r":1} }'],
    ['{ "a": 1, }', '{ "a": 1, "s": {"r":1} }'],
    ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"s": {\n\t\t"r": 1\n\t}\n}'],
    ['{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "s": {\r\n    "r": 1\r\n  }\r\n}'],
    ['{\n  "a": 1 // note\n}', '{\n  "a": 1, // note\n  "s": {\n    "r": 1\n  }\n}'],
    ['{\n  "a": 1,\n}', '{\n  "a": 1,\n  "s": {\n    "r": 1\n  },\n}'],
    ["{\n  // none yet\n}", '{\n  // none yet\n  "s": {\n    "r": 1\n  }\n}'],
    ['{\n  "s": {}\n}', '{\n  "s": {\n    "r": 1\n  }\n}'],
    ['{ "s": {"r": [2, 3] /* old */ } }', '{ "s": {"r": 1 /* old */ } }'],
    ['\ufeff{ "s": {"x": 1} }', '\ufeff{ "s": {"x": 1, "r": 1} }'],
  ])("in %j", (before, after) => {
    expect(setCommented(before, ["s", "r"], 1)).toBe(after);
    expect(commentedValue(after, ["s", "r"])).toBe(1);
  });

  it("counts as the last of its name, as for every parser", () => {
    expect(setCommented('{"a":1,"a":2}', ["a"], 3)).toBe('{"a":1,"a":3}');
    expect(commentedValue('{"a":1,"a":2}', ["a"])).toBe(2);
  });

  it("needs objects on its way", () => {
    expect(() => setCommented('{"s": []}', ["s", "r"], 1)).toThrow(NotJson);
    expect(() => setCommented("[]", ["s", "r"], 1)).toThrow(NotJson);
  });
});

describe("a member that is removed", () => {
  it.each([
    ['{ "s": {"r": 1} }', '{ "s": {} }'],
    [
      '{\n  "s": {\n    "a": 1, // mine\n    "r": {"x": 2} // ours\n  }\n}',
      '{\n  "s": {\n    "a": 1 // mine // ours\n  }\n}',
    ],
    ['{\n  "s": {\n    "r": 1,\n    "a": 2\n  }\n}', '{\n  "s": {\n    "a": 2\n  }\n}'],
    ['{"s": {"a": 1}}', '{"s": {"a": 1}}'],
    ["{}", "{}"],
  ])("in %j", (before, after) => {
    expect(removeCommented(before, ["s", "r"])).toBe(after);
  });
});

const space = fc.constantFrom("", " ", "\n  ", "\n", " // c\n  ", " /* d */ ", "\r\n\t");
/** Settings with other members, spaced and commented in any way; with or without the section. */
const settings = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom("a", "b", "é\\n"), fc.jsonValue({ maxDepth: 2 }), space, space), {
      maxLength: 3,
    }),
    fc.option(fc.array(fc.tuple(fc.constantFrom("x", "y"), space, space), { maxLength: 2 })),
    space,
    fc.boolean(),
  )
  .map(([others, section, end, isTrailing]) => {
    const members = others.map(
      ([key, value, before, after]) => `${before}"${key}"${after}:${after}${JSON.stringify(value)}${before}`,
    );
    if (section)
      members.push(
        `"s": {${section.map(([key, before, after]) => `${before}"${key}":${after}{"q":1}${before}`).join(",")}${end}}`,
      );
    return `${end}{${members.join(",")}${isTrailing && members.length > 0 ? "," : ""}${end}}${end}`;
  });

const plain = (text: string) => readCommented(text).json as Record<string, unknown>;

describe("any settings", () => {
  it("keep all else when a member is set, and are the same again when it is removed", () => {
    fc.assert(
      fc.property(settings, (text) => {
        const set = setCommented(text, ["s", "r"], ENTRY);
        const before = plain(text);
        const section = (before.s ?? {}) as object;
        expect(plain(set)).toEqual({ ...before, s: { ...section, r: ENTRY } });
        // Nothing of the old text is gone, in its order.
        let at = 0;
        for (const char of text.replaceAll(/\s/g, "")) {
          at = set.indexOf(char, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
        expect(setCommented(set, ["s", "r"], ENTRY)).toBe(set);
        const removed = removeCommented(set, ["s", "r"]);
        if (before.s !== undefined && Object.keys(section).length > 0) expect(removed).toBe(text);
        expect(plain(removed)).toEqual({ ...before, s: section });
      }),
      { numRuns: 300 },
    );
  });

  it("are read as JSON.parse reads them where they are strict JSON", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[],:"\\ \n/*1-.eatrufls'.split(""), "null", "true", '"a"') }),
        (text) => {
          const accepts = (read: () => unknown): boolean => {
            try {
              read();
              return true;
            } catch {
              return false;
            }
          };
          const isJson = accepts(() => JSON.parse(text));
          expect(accepts(() => readCommented(text, true))).toBe(isJson);
          if (isJson) expect(readCommented(text).json).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

it.each([
  ['{\n  "a": 1\n  "b": 2\n}', 3],
  ["", 1],
  ['{"a": \n tru}', 2],
  ['{"a": "x\n"}', 1],
  ["{} {}", 1],
  ["{ /* ", 1],
  [`${"[".repeat(100_000)}`, 1],
])("says in which line %j is wrong", (text, line) => {
  expect(() => readCommented(text)).toThrow(expect.objectContaining({ name: "NotJson", line }));
});

it("takes comments and trailing commas only where they are allowed", () => {
  for (const text of ["{} // c", "[1,]", '{"a":1,}']) {
    expect(readCommented(text)).toBeDefined();
    expect(() => readCommented(text, true)).toThrow(NotJson);
  }
});
