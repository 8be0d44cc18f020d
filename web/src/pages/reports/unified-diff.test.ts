import { expect, it } from "vitest";
import { toDiffLines } from "./unified-diff.ts";

it("draws hunks, and leaves out the names and what is said about the end of the file", () => {
  const diff = [
    "--- a/AGENTS.md",
    "+++ b/AGENTS.md",
    "@@ -1,2 +1,3 @@",
    " # Rules",
    "--- a list, taken out",
    "+- Use pnpm",
    "\\ No newline at end of file",
    "@@ -9 +10 @@",
    " last",
    "",
  ].join("\n");
  expect(toDiffLines(diff)).toEqual([
    { kind: "same", text: "# Rules" },
    { kind: "removed", text: "-- a list, taken out" },
    { kind: "added", text: "- Use pnpm" },
    { kind: "gap", text: "⋯" },
    { kind: "same", text: "last" },
  ]);
  expect(toDiffLines("")).toEqual([]);
});
