import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScanner } from "./scanner.ts";

type Visit = readonly [what: string, at: number, more?: string | number];

/** All visits, of the text in pieces that end at these places. */
function scan(
  text: string | Buffer,
  cuts: readonly number[] = [],
  enters: (depth: number) => boolean = () => true,
): { visits: Visit[]; whole: boolean } {
  const bytes = Buffer.from(text as string);
  const visits: Visit[] = [];
  let depth = 0;
  const scanner = createScanner({
    begin(at, byte) {
      visits.push(["begin", at, String.fromCharCode(byte)]);
      const isEntered = enters(depth) && /[{[]/.test(String.fromCharCode(byte));
      if (isEntered) depth++;
      return isEntered;
    },
    end: (end) => void visits.push(["end", end]),
    leave(end) {
      depth--;
      visits.push(["leave", end]);
    },
    name: (name, at) => void visits.push(["name", at, name]),
    comma: (at) => void visits.push(["comma", at]),
  });
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [index, place] of places.entries()) scanner.push(bytes.subarray(places[index - 1] ?? 0, place));
  return { visits, whole: scanner.end() };
}

describe("the scanner", () => {
  it("tells of every value, name and comma where it stands", () => {
    expect(scan('{"a": [1, "x\\"]"], "b\\n": {}}')).toEqual({
      whole: true,
      visits: [
        ["begin", 0, "{"],
        ["name", 1, "a"],
        ["begin", 6, "["],
        ["begin", 7, "1"],
        ["end", 8],
        ["comma", 8],
        ["begin", 10, '"'],
        ["end", 16],
        ["leave", 17],
        ["comma", 17],
        ["name", 19, "b\n"],
        ["begin", 26, "{"],
        ["leave", 28],
        ["leave", 29],
      ],
    });
  });

  it("tells the same however the text is cut into pieces, and finds each value where JSON.parse does", () => {
    const texts = fc.json({ maxDepth: 5, stringUnit: "binary" });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 6 }), fc.nat(3), (text, cuts, depth) => {
        const enters = (at: number): boolean => at < depth;
        const whole = scan(text, [], enters);
        expect(scan(text, cuts, enters)).toEqual(whole);
        expect(whole.whole).toBe(true);
        const bytes = Buffer.from(text);
        const open: number[] = [];
        for (const [what, at] of whole.visits) {
          if (what === "begin") open.push(at);
          else if (what === "end" || what === "leave")
            expect(() => JSON.parse(bytes.toString("utf8", open.pop(), at))).not.toThrow();
        }
        expect(open).toEqual([]);
      }),
    );
  });

  it("says that a text is not whole that stops early, goes on behind its end, or has a hole in it", () => {
    for (const text of ["", '{"a":1', '"abc', '"abc\\', "{} {}", "{1:2}", "\0", "[1,2"])
      expect(scan(text).whole, text).toBe(false);
    for (const text of ["1", " true ", '"a\\\\"', "[1,2]"]) expect(scan(text).whole, text).toBe(true);
  });

  it("finds the end of long texts, whatever is escaped in them", () => {
    const parts = ["plain ".repeat(40), '\\"', "\\\\", '\\\\\\"', "x".repeat(63), "\\n"];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts), { maxLength: 12 }),
        fc.array(fc.nat()),
        (some, cuts) => {
          const text = `["${some.join("")}",1]`;
          const { visits, whole } = scan(text, cuts);
          expect([whole, visits[2]]).toEqual([true, ["end", text.length - 3]]);
        },
      ),
    );
  });
});
