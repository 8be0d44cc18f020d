import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type CountTokens, estimateBeyond, loadTokenizer } from "./tokens.ts";

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

  it("counts varied text as the tokenizer does: code, scripts, blobs, runs and halves of characters", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    const code = readFileSync(import.meta.filename, "utf8");
    const blob = Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 251));
    const scripts = Array.from({ length: 4000 }, (_, i) => String.fromCharCode((i * 13 + 128) % 0xd800)).join(
      "",
    );
    const halves = Array.from({ length: 500 }, (_, i) =>
      String.fromCharCode(0xd800 + i * 4, 97 + (i % 9)),
    ).join("");
    const runs = ["a", "X", " ", "=", "/", "\n", "\r\n", "é", "日", "👍"].map((unit) => unit.repeat(700));
    const texts = [
      code,
      blob.toString("base64"),
      blob.toString("hex"),
      blob.toString("latin1"),
      scripts,
      halves,
    ];
    for (const text of [...texts, ...runs, runs.join(" ")])
      expect(count(text), text.slice(0, 20)).toBe(countTokens(text, { disallowedSpecial: new Set() }));
  });

  it("counts any characters as the tokenizer does", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    // The package takes a byte order mark off before it looks a token up, and so miscounts what begins with one.
    const unit = fc
      .oneof(fc.nat(0x17f), fc.nat(0xffff))
      .map((code) => String.fromCharCode(code === 0xfeff ? 0 : code));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
        const text = units.join("");
        expect(count(text)).toBe(countTokens(text, { disallowedSpecial: new Set() }));
      }),
      { numRuns: 1000 },
    );
  });

  it("counts a byte order mark as the encoding does", () => {
    expect([count("\uFEFF"), count("\uFEFF{")]).toEqual([1, 2]);
  });

  it("merges an endless word whole, without trying every pair again after each merge", () => {
    for (const letter of ["a", " ", "=", "日"]) {
      const [half, whole] = [count(letter.repeat(100_000)), count(letter.repeat(200_000))];
      expect(Math.abs(whole - 2 * half), letter).toBeLessThanOrEqual(2);
    }
  });

  it("counts four million characters whole, and estimates more from samples", () => {
    // All that costs much stands between the places that samples would be taken from.
    const cheap = `${"hello world again and again\n".repeat(60_000)}`;
    const costly = "日本\n".repeat(100_000);
    expect(count(cheap + costly + cheap)).toBe(2 * count(cheap) + count(costly));
    const words = Array.from({ length: 700_000 }, (_, i) => `word${i % 977} `).join("");
    const part = words.slice(0, 2_000_000);
    const expected = (count(part) * words.length) / part.length;
    expect(words.length).toBeGreaterThan(4_000_000);
    expect(count(words) / expected).toBeCloseTo(1, 2);
  });

  it("counts the passages of a session up to a limit, and estimates the rest from samples of each", () => {
    const kinds = ["plain words of prose, ", "const x = (a) => b[1]; ", "日本語の 文章 ", "3f9a0c17 "];
    const texts = Array.from({ length: 120 }, (_, i) =>
      Array.from(
        { length: 300 },
        (_, k) => `${kinds[(i + (k % 7)) % kinds.length]}word${(i * k) % 977}`,
      ).join(" "),
    );
    const exact = texts.map(count);
    const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0);
    const limit = 3 * Math.max(...texts.map((text) => text.length));
    let looked = 0;
    const estimated = texts.map(
      estimateBeyond((text) => {
        looked += text.length;
        return count(text);
      }, limit),
    );
    expect(estimated.slice(0, 3)).toEqual(exact.slice(0, 3));
    expect(sum(estimated) / sum(exact)).toBeCloseTo(1, 2);
    expect(looked).toBeLessThan(limit + texts.join("").length / 10);
    // A short text costs no more than the samples of it.
    expect(texts.slice(0, 9).map((text) => estimateBeyond(count, 0)(text.slice(0, 999)))).toEqual(
      texts.slice(0, 9).map((text) => count(text.slice(0, 999))),
    );
    expect(estimateBeyond(count, 0)("x".repeat(10_000)) / count("x".repeat(10_000))).toBeCloseTo(1, 1);
  });
});
