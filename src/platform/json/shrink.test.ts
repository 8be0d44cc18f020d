import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TOO_DEEP } from "../../model/values/json.ts";
import { createShrinker } from "./shrink.ts";

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

describe("what takes no more memory, however long it is", () => {
  it("is text behind a byte that no JSON has", () => {
    const after = "x".repeat(100_000);
    for (const [text, kept] of [
      [`{"a":1,\0\0\0${after}`, '{"a":1,\0'],
      [`\0\0\0${after}`, "\0"],
      [`{"a":"text\0${after}"}`, '{"a":"text\0'],
      [`{"a":"${"b".repeat(40)}\n${after}"}`, `{"a":"${"b".repeat(16)}\n`],
      [`{"a":"${"b".repeat(40)}\\x${after}"}`, `{"a":"${"b".repeat(16)}x`],
      [`{"a":"${"b".repeat(40)}\\u00G0${after}"}`, `{"a":"${"b".repeat(16)}G`],
    ] as const) {
      const shrunk = shrink(text, 16, [1, 2, 3, 50, 7]);
      expect(shrunk).toEqual({ text: kept, cut: text.length - kept.length });
      expect(() => JSON.parse(shrunk.text)).toThrow();
    }
  });

  it("is what is nested too deeply", () => {
    const deep = `${"[".repeat(5000)}"long ${"x".repeat(500)}",{"k":"v"}${"]".repeat(5000)}`;
    const text = `{"a":1,"deep":${deep},"b":["after"]}`;
    const shrunk = shrink(text, 16, [100, 1, 1, 4000, 30]);
    expect(JSON.parse(shrunk.text)).toMatchObject({ a: 1, b: ["after"] });
    expect(shrunk.text).toContain(TOO_DEEP);
    expect(shrunk.text.length).toBeLessThan(2000);
    expect(text.length - shrunk.text.length).toBe(shrunk.cut);
  });

  it("is a list without end", () => {
    const shrinker = createShrinker(16, 1000);
    for (let i = 0; i < 100; i++) shrinker.push(Buffer.from("1,".repeat(100)));
    const { bytes, cut, isPartial } = shrinker.end();
    expect(isPartial).toBe(true);
    expect(bytes.length).toBeLessThanOrEqual(1000);
    expect(bytes.length + cut).toBe(20_000);
  });
});
