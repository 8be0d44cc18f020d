import { describe, expect, it } from "vitest";
import { insertionDiff } from "./insertion-diff.ts";
import { insertLines, linesMissing } from "./instruction-text.ts";

const after = (before: string, ...lines: string[]): string => {
  const { at, text } = insertLines(before, lines);
  return before.slice(0, at) + text + before.slice(at);
};

describe("insertLines", () => {
  it.each([
    ["an empty file", "", "## Learned from sessions\n\n- A.\n"],
    [
      "a file",
      "# Shop\n\nBuild with make.\n",
      "# Shop\n\nBuild with make.\n\n## Learned from sessions\n\n- A.\n",
    ],
    ["a file without a last line end", "# Shop", "# Shop\n\n## Learned from sessions\n\n- A.\n"],
    ["a file that ends with an empty line", "# Shop\n\n", "# Shop\n\n## Learned from sessions\n\n- A.\n"],
    ["line ends of Windows", "# Shop\r\n", "# Shop\r\n\r\n## Learned from sessions\r\n\r\n- A.\r\n"],
    ["a mark of the byte order", "\uFEFF# Shop\n", "\uFEFF# Shop\n\n## Learned from sessions\n\n- A.\n"],
    [
      "its own section at the end",
      "# Shop\n\n## Learned from sessions\n\n- B.\n",
      "# Shop\n\n## Learned from sessions\n\n- B.\n- A.\n",
    ],
    [
      "its own section in the middle",
      "## Learned from sessions\n\n- B.\n\n## Style\n\nTabs.\n",
      "## Learned from sessions\n\n- B.\n- A.\n\n## Style\n\nTabs.\n",
    ],
    [
      "its own section without a last line end",
      "## Learned from sessions\n\n- B.",
      "## Learned from sessions\n\n- B.\n- A.\n",
    ],
    ["an empty section", "## Learned from sessions\n", "## Learned from sessions\n- A.\n"],
  ])("adds to %s", (_name, before, wanted) => {
    expect(after(before, "A.")).toBe(wanted);
  });
});

describe("linesMissing", () => {
  it("are those that no line of the text says", () => {
    const text = "# Shop\n\n* We use pnpm and not npm.\n- Never round amounts more than once!\n";
    expect(
      linesMissing(text, ["Use pnpm, not npm.", "Never round amounts more than once.", "Use uv, not pip."]),
    ).toEqual(["Use uv, not pip."]);
  });
});

describe("insertionDiff", () => {
  it("shows a new file", () => {
    expect(insertionDiff("AGENTS.md", undefined, { at: 0, text: "a\nb\n" })).toBe(
      "--- /dev/null\n+++ b/AGENTS.md\n@@ -0,0 +1,2 @@\n+a\n+b\n",
    );
  });
  it("shows three lines around", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n";
    expect(insertionDiff("x.md", before, { at: 8, text: "new\n" })).toBe(
      "--- a/x.md\n+++ b/x.md\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+new\n 5\n 6\n 7\n",
    );
  });
  it("says where a line end was missing, as git does", () => {
    expect(insertionDiff("x.md", "1", { at: 1, text: "\nnew\n" })).toBe(
      "--- a/x.md\n+++ b/x.md\n@@ -1,1 +1,2 @@\n-1\n\\ No newline at end of file\n+1\n+new\n",
    );
  });
});
