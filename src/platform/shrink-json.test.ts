import fc from "fast-check";
import { expect, it } from "vitest";
import { createShrinker } from "./shrink-json.ts";

function shrink(text: string, keep: number, pieces: readonly number[] = []): { text: string; cut: number } {
  const shrinker = createShrinker(keep);
  const bytes = Buffer.from(text);
  let at = 0;
  for (const size of [...pieces, bytes.length]) {
    shrinker.push(bytes.subarray(at, at + size));
    at += size;
    if (at >= bytes.length) break;
  }
  const { bytes: out, cut } = shrinker.end();
  return { text: out.toString("utf8"), cut };
}

it("cuts the inside of long strings and nothing else", () => {
  const record = { type: "tool", out: "x".repeat(1000), n: [1, 2.5, null, true], 'ke"y': "short" };
  expect(shrink(JSON.stringify(record), 16)).toEqual({
    text: JSON.stringify({ ...record, out: "x".repeat(16) }),
    cut: 984,
  });
});

it("never cuts inside an escape or a character", () => {
  const tricky = 'ä"\\\n\u0001日本語🎉'.repeat(3);
  for (let keep = 0; keep < 30; keep++) {
    const { text } = shrink(JSON.stringify([tricky]), keep);
    const value = JSON.parse(text)[0] as string;
    expect(tricky.startsWith(value), `keep ${keep}: ${value}`).toBe(true);
  }
});

it("gives JSON with strings that are beginnings of the original, however the bytes arrive", () => {
  const isBeginning = (small: unknown, whole: unknown): boolean => {
    if (typeof whole === "string")
      return (
        typeof small === "string" && (whole === small || whole.startsWith(small.replace(/\ufffd+$/, "")))
      );
    if (Array.isArray(whole))
      return (
        Array.isArray(small) &&
        small.length === whole.length &&
        whole.every((item, i) => isBeginning(small[i], item))
      );
    if (typeof whole === "object" && whole !== null) {
      const values = Object.values(small as object);
      return Object.values(whole).every((item, i) => isBeginning(values[i], item));
    }
    return Object.is(small, whole);
  };
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 3 }).map((text) => JSON.stringify(JSON.parse(text))),
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }),
      (text, pieces) => {
        // Keys are strings too; a limit above any key of the arbitrary keeps them distinct.
        const out = shrink(text, 64, pieces);
        expect(isBeginning(JSON.parse(out.text), JSON.parse(text))).toBe(true);
        expect(Buffer.byteLength(text) - Buffer.byteLength(out.text)).toBe(out.cut);
      },
    ),
    { numRuns: 300 },
  );
});
