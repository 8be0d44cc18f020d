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

  it("takes what looks like a control token for text", () => {
    expect(count("a <|endoftext|> b")).toBeGreaterThan(5);
  });

  it("counts a megabyte of one endless word in seconds, not hours", () => {
    const begin = performance.now();
    expect(count("a".repeat(1_000_000))).toBeGreaterThan(100_000);
    expect(count(" ".repeat(1_000_000))).toBeGreaterThan(1_000);
    expect(count("=".repeat(1_000_000))).toBeGreaterThan(1_000);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it("is exact around an endless run", () => {
    const run = "x".repeat(512);
    expect(count(`hello ${run}${run} world`)).toBe(count("hello ") + 2 * count(run) + count(" world"));
  });
});
