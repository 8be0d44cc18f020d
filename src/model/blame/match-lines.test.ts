import { describe, expect, it } from "vitest";
import { matchLines } from "./match-lines.ts";

const match = (before: string, after: string): number[] => [
  ...matchLines(before.split(" "), after.split(" ")),
];

describe("matching lines", () => {
  it("pairs what stays, in order", () => {
    expect(match("a b c", "a x c")).toEqual([0, -1, 2]);
    expect(match("a b c d", "b d")).toEqual([1, 3]);
    expect(match("a b", "b a").filter((at) => at >= 0)).toHaveLength(1);
  });

  it("goes by lines that stand once, not by braces", () => {
    expect(match("f { } g { }", "f { } h { } g { }")).toEqual([0, 1, 2, -1, -1, -1, 3, 4, 5]);
  });

  it("gives the closing brace behind a new block to that block", () => {
    expect(match("a }", "a } b }")).toEqual([0, 1, -1, -1]);
  });

  it("pairs as many as there are where nothing is unique", () => {
    expect(match("x y x y x y", "y x y x").filter((at) => at >= 0)).toHaveLength(4);
    expect([...matchLines([], ["a"])]).toEqual([-1]);
    expect([...matchLines(["a"], [])]).toEqual([]);
  });

  it("takes texts of 50,000 lines, equal ones and such in the worst order", () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => (at % 7 === 0 ? "}" : `line ${at}`));
    const changed = lines.with(25_000, "another");
    expect(matchLines(lines, changed).filter((at) => at < 0)).toHaveLength(1);
    expect(matchLines(lines, lines.toReversed()).filter((at) => at >= 0).length).toBeGreaterThan(0);
    const same = new Array<string>(50_000).fill("}");
    expect(matchLines(same, [...same, "}"]).filter((at) => at < 0)).toHaveLength(1);
  });
});
