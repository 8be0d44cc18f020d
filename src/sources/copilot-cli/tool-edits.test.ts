import { describe, expect, it } from "vitest";
import { recordedEdits, toolEdits } from "./tool-edits.ts";

describe("calls", () => {
  it("create, edit and patch files", () => {
    expect(toolEdits("create", { path: "/a", file_text: "x\n" })).toEqual([
      { does: "write", path: "/a", text: "x\n", isNew: true },
    ]);
    expect(toolEdits("edit", { path: "/a", old_str: "x", new_str: "y" })).toEqual([
      { does: "replace", path: "/a", pairs: [{ before: "x", after: "y" }] },
    ]);
    const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
    for (const input of [{ patch }, { input: patch }, patch])
      expect(toolEdits("apply_patch", input)).toEqual([{ does: "delete", path: "a" }]);
  });

  it("of other tools, and such without what they need, do nothing", () => {
    for (const [name, input] of [
      ["bash", { command: "rm a" }],
      ["create", { path: "/a" }],
      ["edit", { path: 7, old_str: "x", new_str: "y" }],
      ["edit", "no object"],
      ["__proto__", {}],
    ] as const)
      expect(toolEdits(name, input)).toEqual([]);
  });
});

/** As version 1.0.102 wrote them. */
describe("what is recorded with a result", () => {
  const result = (diff: string, kind = "edit") => ({
    fileEdits: [{ path: "/w/a.txt", kind }],
    result: { content: "File /w/a.txt updated with changes.", detailedContent: diff },
  });
  const HEAD =
    "\ndiff --git a/w/a.txt b/w/a.txt\nindex 0000000..0000000 100644\n--- a/w/a.txt\n+++ b/w/a.txt\n";

  it("is a diff with the places of the change", () => {
    expect(recordedEdits(result(`${HEAD}@@ -1,4 +1,5 @@\n-one\n+ONE\n+plus\n two\n three\n four\n`))).toEqual(
      [
        {
          does: "patch",
          path: "/w/a.txt",
          hunks: [{ start: 1, newStart: 1, lines: ["-one", "+ONE", "+plus", " two", " three", " four"] }],
        },
      ],
    );
  });

  it("may have several places, blank lines, and none at the end", () => {
    const diff = `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -9 +9,2 @@\n\n+z\n\\ No newline at end of file\n`;
    expect(recordedEdits(result(diff))).toEqual([
      {
        does: "patch",
        path: "/w/a.txt",
        hunks: [
          { start: 1, newStart: 1, lines: [" a", "-b", "+B"] },
          { start: 9, newStart: 9, lines: [" ", "+z"] },
        ],
      },
    ]);
  });

  it("says nothing where it was cut, of new files, and of several at once", () => {
    expect(recordedEdits(result(`${HEAD}@@ -1,4 +1,5 @@\n-one\n+ONE`))).toEqual([]);
    expect(recordedEdits(result(`${HEAD}@@ -1,0 +1,1 @@\n+one\n`, "create"))).toEqual([]);
    expect(
      recordedEdits({
        ...result(""),
        fileEdits: [
          { path: "a", kind: "edit" },
          { path: "b", kind: "edit" },
        ],
      }),
    ).toEqual([]);
    expect(recordedEdits({ result: { content: "no edit" } })).toEqual([]);
  });
});
