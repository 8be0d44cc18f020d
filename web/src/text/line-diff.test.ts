/** Edits as lines taken out and put in. */
import { describe, expect, it } from "vitest";
import { diffLines, readUnified } from "./line-diff.ts";

const draw = (lines: ReturnType<typeof diffLines>["lines"]): string[] =>
  lines.map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-", gap: "…" }[kind]}${text}`);

describe("diffLines", () => {
  it("shows what changed between what stayed", () => {
    const { lines, added, removed } = diffLines("a\nb\nc\n", "a\nB\nB2\nc\n");
    expect(draw(lines)).toEqual([" a", "-b", "+B", "+B2", " c"]);
    expect([added, removed]).toEqual([2, 1]);
  });

  it("folds what is far from a change", () => {
    const before = Array.from({ length: 30 }, (_, n) => `line ${n}`);
    const { lines } = diffLines(before.join("\n"), before.with(15, "changed").join("\n"));
    expect(draw(lines)).toEqual([
      "…12 unchanged lines",
      " line 12",
      " line 13",
      " line 14",
      "-line 15",
      "+changed",
      " line 16",
      " line 17",
      " line 18",
      "…11 unchanged lines",
    ]);
  });

  it("takes a new file as added and a deleted one as removed", () => {
    expect(draw(diffLines("", "a\nb").lines)).toEqual(["+a", "+b"]);
    expect(draw(diffLines("a\n", "").lines)).toEqual(["-a"]);
  });

  it("has nothing for texts that are alike", () => {
    expect(diffLines("a\nb", "a\nb")).toEqual({ lines: [], added: 0, removed: 0 });
  });

  it("copes with texts too long to compare", () => {
    const { added, removed } = diffLines("a\n".repeat(5000), "b\n".repeat(6000));
    expect([added, removed]).toEqual([6000, 5000]);
  });
});

describe("readUnified", () => {
  it("reads the lines of a patch", () => {
    expect(draw(readUnified("@@ function a() {\n x\n-y\n+z").lines)).toEqual([
      "…function a() {",
      " x",
      "-y",
      "+z",
    ]);
  });
});
