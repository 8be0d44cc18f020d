import { describe, expect, it } from "vitest";
import { editDistance, nearest } from "./nearest.ts";

describe("nearest", () => {
  it("repairs a swapped, missing, doubled or wrong letter", () => {
    const words = ["list", "show", "context", "doctor"];
    expect(["lsit", "shw", "contextt", "doctar"].map((word) => nearest(word, words))).toEqual(words);
  });
  it("offers nothing rather than a wild guess", () => {
    expect(nearest("frobnicate", ["list", "show"])).toBeUndefined();
  });
  it("counts a swap of neighbours as one step, and stops at the limit", () => {
    expect(editDistance("form", "from")).toBe(1);
    expect(editDistance("abcdef", "uvwxyz", 3)).toBe(3);
  });
});
