import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type CountTokens, loadTokenizer } from "./tokens.ts";

describe("loadTokenizer", () => {
  let count: CountTokens;
  beforeAll(async () => {
    count = await loadTokenizer();
  });

  it("counts as the tokenizer does", () => {
    expect([count(""), count("hello world"), count("日本語"), count("export const x = 1;\n")]).toEqual([
      0, 2, 2, 7,
    ]);
  });

  it("counts any text as the tokenizer does that never saw it cut into words", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    const word = fc.constantFrom(
      " ",
      "  ",
      "\n",
      "\r\n",
      "\t",
      "don't",
      "IT'S",
      "1234",
      "=>",
      "/",
      "é",
      "日本",
      "👩‍👧",
      "<|im_end|>",
    );
    const text = fc.array(fc.oneof(word, fc.string({ unit: "grapheme", maxLength: 8 })), { maxLength: 40 });
    fc.assert(
      fc.property(text, (parts) => {
        const whole = parts.join("");
        expect(count(whole)).toBe(countTokens(whole, { disallowedSpecial: new Set() }));
      }),
      { numRuns: 1000 },
    );
  });

  it("takes what looks like a control token for text", () => {
    expect(count("a <|endoftext|> b")).toBeGreaterThan(5);
  });

  it("takes endless words in pieces: merging one whole would take hours", () => {
    for (const letter of ["a", " ", "="]) expect(count(letter.repeat(300_000))).toBeGreaterThan(500);
  });

  it("counts samples of a huge text, close to what the whole would give", () => {
    const text = Array.from({ length: 200_000 }, (_, i) => `word${i % 977} `).join("");
    const part = text.slice(0, 400_000);
    expect(count(text)).toBeGreaterThan(0.97 * count(part) * (text.length / part.length));
    expect(count(text)).toBeLessThan(1.03 * count(part) * (text.length / part.length));
    expect(count("X".repeat(30_000_000))).toBeGreaterThan(1_000_000);
  });

  it("is exact around an endless run", () => {
    const run = "x".repeat(512);
    expect(count(`hello ${run}${run} world`)).toBe(count("hello ") + 2 * count(run) + count(" world"));
  });
});
