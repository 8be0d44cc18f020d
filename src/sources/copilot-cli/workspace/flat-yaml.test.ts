import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { parseFlat, writeFlat } from "./flat-yaml.ts";

it("reads plain lines, and leaves everything else to a whole parser", () => {
  expect(parseFlat("cwd: /srv/shop\nbranch: 1.0\nname: Why: no\n")).toBeUndefined();
  expect(parseFlat("cwd: /srv/shop\nbranch: 1.0\ncreated_at: 2026-11-15T23:24:09.315Z\n")).toEqual({
    cwd: "/srv/shop",
    branch: "1.0",
    created_at: "2026-11-15T23:24:09.315Z",
  });
  for (const text of [
    'a: "b"',
    "a: b #c",
    "a:\n  b: c",
    "a: |\n  b",
    "a: [b]",
    "- a",
    "a: b\na: c",
    "a: b\r",
    "a: Null",
  ])
    expect(parseFlat(text)).toBeUndefined();
});

it("reads whatever it reads as a whole parser does", () => {
  const value = fc.oneof(
    fc.constantFrom("NULL", "true", "1.10"),
    fc.string(),
    fc.string({ unit: fc.constantFrom(..."ab1 :#'\"-,/?!.~") }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("cwd", "name", "branch"), value)), (lines) => {
      const text = lines.map(([key, each]) => `${key}: ${each}\n`).join("");
      const flat = parseFlat(text);
      if (flat && lines.length > 0)
        expect(flat).toEqual(parse(text, { schema: "failsafe", customTags: ["null"] }));
    }),
    { numRuns: 2000 },
  );
});

it("writes text that a whole parser reads back", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer(), fc.boolean(), (name, count, named) => {
      const values = { name, count, named };
      expect(parse(writeFlat(values))).toEqual(values);
    }),
    { numRuns: 1000 },
  );
});
