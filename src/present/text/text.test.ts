import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, cutStart, cutTitle, oneLine, pieces, plain, widthOf, wrap } from "./text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

describe("plain", () => {
  it("makes an escape sequence visible instead of obeying it", () => {
    expect(plain("\x1b[2J\x1b]0;owned\x07 \x9b31m \x7f")).toBe("␛[2J␛]0;owned␇ �31m ␡");
  });
  it("takes out marks that turn text around", () => {
    expect(plain("user\u202Etxt.exe\u2066")).toBe("usertxt.exe");
  });
  it("keeps lines and all scripts", () => {
    expect(plain("línea\r\n日本語 👩‍👩‍👧\tx")).toBe("línea\n日本語 👩‍👩‍👧    x");
  });
  it("leaves nothing a terminal would obey in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(plain(text)).not.toMatch(OBEYED);
        expect(oneLine(text)).not.toMatch(/[\n\t]/);
      }),
    );
  });
});

describe("cut", () => {
  it("cuts wide characters and clusters whole", () => {
    expect([
      cut("日本語のセッション", 8),
      cut("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 5),
      cut("abc", 3),
      cut("abcd", 3),
    ]).toEqual(["日本語…", "👩‍👩‍👧👩‍👩‍👧…", "abc", "ab…"]);
  });
  it("keeps the end of a path", () => {
    expect(cutStart("/home/dev/work/storefront", 12)).toBe("…/storefront");
  });
  it("keeps what tells a copy from its original", () => {
    const title = "Rebuild the checkout as a state machine (fork 2)";
    expect([48, 36, 12].map((width) => cutTitle(title, width))).toEqual([
      title,
      "Rebuild the checkout as a… (fork 2)",
      "Rebuild the…",
    ]);
  });
  it("never gets wider than asked", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const line = oneLine(text);
        for (const short of [
          cut(line, width),
          cutStart(line, width),
          cutTitle(line, width),
          cutTitle(`${line} (fork)`, width),
        ])
          expect(widthOf(short)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

const graphemes = (text: string): number => [...new Intl.Segmenter().segment(text)].length;

describe("wrap", () => {
  it("breaks at spaces, and where it must in scripts without them", () => {
    expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrap("日本語のセッション", 8)).toEqual(["日本語の", "セッショ", "ン"]);
    expect(wrap("", 10)).toEqual([""]);
  });
  it("takes no longer for a huge line than for its parts", () => {
    const begin = performance.now();
    for (const text of ["x".repeat(500_000), "語".repeat(30_000)]) {
      expect(pieces(text, 98).join("")).toBe(text);
      expect(wrap(text, 98).join("")).toBe(text);
    }
    expect(performance.now() - begin).toBeLessThan(15_000);
  });
  it("loses no word and keeps to the width", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 40 }), (text, width) => {
        const line = oneLine(text);
        const lines = wrap(line, width);
        expect(lines.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
        // One character alone may be wider than a very narrow line.
        for (const each of lines) if (graphemes(each) > 1) expect(widthOf(each)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
