/** Members changed by their bytes come to what changing the parsed object would. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Piece } from "../../model/plan.ts";
import type { Line } from "../../platform/fs/lines.ts";
import { createPieces } from "./pieces.ts";

const toLine = (bytes: Buffer, start: number, mark = 0): Line => ({
  ...{ number: 1, start, end: start + mark + bytes.length, bytes, cut: 0, ended: true },
});
const told = (pieces: readonly Piece[], file: Buffer): string =>
  pieces
    .map((piece) => {
      if ("text" in piece) return piece.text;
      return "file" in piece ? file.toString("utf8", piece.start, piece.end) : "";
    })
    .join("");

const key = fc.constantFrom("a", "b", "c", "é", 'q"uote', "sessionId");
const value = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 700 }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constant({ a: { a: 1 } }),
);
const objects = fc.dictionary(key, value, { maxKeys: 6 });
const changes = fc.dictionary(key, fc.oneof(fc.constant(null), value), { maxKeys: 4 });
const asTexts = (members: Record<string, unknown>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(members).map(([name, each]) => [name, each === null ? null : JSON.stringify(each)]),
  );

it("sets, adds and removes members as an object would have them", () => {
  fc.assert(
    fc.property(objects, changes, changes, fc.boolean(), (object, wanted, others, isSpaced) => {
      const text = JSON.stringify(object, null, isSpaced ? 1 : 0).replaceAll("\n", " ");
      const file = Buffer.from(`before\n${text}\nbehind`);
      const pieces = createPieces("log");
      pieces.set(toLine(Buffer.from(text), 7), asTexts(wanted), asTexts(others));
      const there = Object.entries(others).filter(([name]) => Object.hasOwn(object, name));
      const expected: Record<string, unknown> = { ...object, ...Object.fromEntries(there), ...wanted };
      const removed = new Set(
        Object.entries({ ...Object.fromEntries(there), ...wanted }).flatMap(([name, each]) =>
          each === null ? [name] : [],
        ),
      );
      for (const name of removed) delete expected[name];
      expect(JSON.parse(told(pieces.all(), file))).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
    { numRuns: 500 },
  );
});

it("keeps every byte that it does not change, however it is written, and a byte order mark", () => {
  const text = '{ "n": 1e400 , "id":"old",\t"s":"\\u00e9\\/" }';
  const file = Buffer.from(`\ufeff${text}`);
  const pieces = createPieces("log");
  pieces.set(toLine(Buffer.from(text), 0, 3), { id: '"new"' });
  expect(told(pieces.all(), file)).toBe(`\ufeff${text.replace("old", "new")}`);
});

it("changes the last of several members of one name, and takes all of them away", () => {
  const text = '{"a":1,"b":2,"a":3}';
  const changed = (members: Record<string, string | null>): string => {
    const pieces = createPieces("log");
    pieces.set(toLine(Buffer.from(text), 0), members);
    return told(pieces.all(), Buffer.from(text));
  };
  expect(changed({ a: "4" })).toBe('{"a":1,"b":2,"a":4}');
  expect(changed({ a: null })).toBe('{"b":2}');
  expect(changed({ a: null, b: null, c: "5" })).toBe('{"c":5}');
});

it("holds no long text that stays", () => {
  const long = "x".repeat(100_000);
  const text = JSON.stringify({ a: 1, message: long, sessionId: "old" });
  const pieces = createPieces("log");
  pieces.set(toLine(Buffer.from(text), 0), { a: "2", sessionId: '"new"' });
  const held = pieces.all().reduce((sum, piece) => sum + ("text" in piece ? piece.text.length : 0), 0);
  expect(held).toBeLessThan(100);
});
