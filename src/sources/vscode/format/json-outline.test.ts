import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutliner, type Outline, type Path, parse } from "./json-outline.ts";

const outline = (text: string, enter: (path: Path) => boolean, size = 3): Outline => {
  const outliner = createOutliner(enter);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) outliner.push(bytes.subarray(at, at + size));
  return outliner.end();
};
const top = (path: Path): boolean => path.length === 0;
const texts = (source: string, { spans }: Outline): [string, string][] =>
  spans.map(({ path, start, end }) => [path.join("."), Buffer.from(source).subarray(start, end).toString()]);

describe("the outline of a document", () => {
  it("gives the place of every value down to those not entered", () => {
    const text = '{ "a": 12, "requests": [ {"x":"}]\\""}, null ], "ü\\"k": "v" }';
    const found = outline(text, (path) => top(path) || path[0] === "requests");
    expect(found.whole).toBe(true);
    expect(texts(text, found)).toEqual([
      ["a", "12"],
      ["requests.0.x", '"}]\\""'],
      ["requests.0", '{"x":"}]\\""}'],
      ["requests.1", "null"],
      ["requests", '[ {"x":"}]\\""}, null ]'],
      ['ü"k', '"v"'],
      ["", text],
    ]);
  });

  it("tells the value that a torn text stops in", () => {
    const text = '{"a":1,"b":[1,{"c":"to';
    const found = outline(text, top);
    expect(found).toEqual({
      whole: false,
      spans: [{ path: ["a"], start: 5, end: 6 }],
      open: { path: ["b"], start: 11, end: text.length },
    });
  });

  it.each(["", "  ", '{"a":1} x', '{"a":1', "{a:1}", '"open'])("does not take %j for whole", (text) => {
    expect(outline(text, top).whole).toBe(false);
  });

  it("finds for any JSON what parsing finds, however the bytes arrive", () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (text, size) => {
        const found = outline(text, () => true, size);
        expect(found.whole).toBe(true);
        for (const { path, start, end } of found.spans) {
          const value = parse(Buffer.from(text).subarray(start, end));
          let expected: unknown = JSON.parse(text);
          for (const step of path) expected = (expected as Record<string, unknown>)[step];
          expect(value).toEqual(expected);
        }
      }),
      { numRuns: 150 },
    );
  });
});
