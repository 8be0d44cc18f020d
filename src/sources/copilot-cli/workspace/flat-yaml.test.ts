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
  expect(
    parseFlat(`a: 'It''s: "x" #1'\nb: "say \\"no\\"\\n: C:\\\\x"\nc: Prüfe [1] & 日本 #2: {x}`),
  ).toBeUndefined();
  expect(parseFlat(`a: 'It''s: "x" #1'\nb: "say \\"no\\"\\n: C:\\\\x"\nc: Prüfe [1] & 日本#2 {x}`)).toEqual({
    a: 'It\'s: "x" #1',
    b: 'say "no"\n: C:\\x',
    c: "Prüfe [1] & 日本#2 {x}",
  });
  for (const text of [
    'a: "b" c',
    'a: "\\L"',
    "a: 'b''",
    "a: b #c",
    "a: 'b' #c",
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
    fc.string({ unit: fc.constantFrom(..."aü日👩 :#'\"\\[]{}&*`%|>-") }),
    fc.string({ unit: "grapheme" }).map((name) => `'${name.replaceAll("'", "''")}'`),
    fc.string({ unit: "grapheme" }).map((name) => JSON.stringify(name)),
    fc.string({ unit: fc.constantFrom(..."ab \\\"'nutLxé0/") }).map((name) => `"${name}"`),
    fc.string({ unit: fc.constantFrom(..."ab '\"#:") }).map((name) => `'${name}'`),
  );
  let read = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("cwd", "name", "branch"), value)), (lines) => {
      const text = lines.map(([key, each]) => `${key}: ${each}\n`).join("");
      const flat = parseFlat(text);
      if (!flat || lines.length === 0) return;
      if (/: ['"]/.test(text)) read++;
      expect(flat).toEqual(parse(text, { schema: "failsafe", customTags: ["null"] }));
    }),
    { numRuns: 4000 },
  );
  expect(read).toBeGreaterThan(100); // names in quotes are among them
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
