import { describe, expect, it } from "vitest";
import { recordedEdits, toolEdits } from "./tool-edits.ts";

describe("calls", () => {
  it("write and edit files and notebooks", () => {
    expect(toolEdits("Write", { file_path: "/a", content: "x" })).toEqual([
      { does: "write", path: "/a", text: "x" },
    ]);
    expect(
      toolEdits("Edit", { file_path: "/a", old_string: "x", new_string: "y", replace_all: true }),
    ).toEqual([{ does: "replace", path: "/a", pairs: [{ before: "x", after: "y", all: true }] }]);
    const edits = [
      { old_string: "1", new_string: "2" },
      { old_string: "3", new_string: "4" },
    ];
    expect(toolEdits("MultiEdit", { file_path: "/a", edits })).toEqual([
      {
        does: "replace",
        path: "/a",
        pairs: [
          { before: "1", after: "2" },
          { before: "3", after: "4" },
        ],
      },
    ]);
    expect(toolEdits("NotebookEdit", { notebook_path: "/n.ipynb", new_source: 'print("a")\nb' })).toEqual([
      { does: "fragment", path: "/n.ipynb", texts: ['"print(\\"a\\")\\n",\n"b"'] },
    ]);
  });

  it("of other tools do nothing", () => {
    expect([toolEdits("Bash", { command: "rm a" }), toolEdits("Edit", { file_path: "/a" })]).toEqual([
      [],
      [],
    ]);
  });
});

/** As version 2.1.325 wrote them. */
describe("what is recorded with a result", () => {
  const recorded = (toolUseResult: unknown) => recordedEdits({ toolUseResult });
  const structuredPatch = [
    {
      oldStart: 1,
      oldLines: 2,
      newStart: 1,
      newLines: 2,
      lines: ["-a", "+A", " b", "\\ No newline at end of file"],
    },
  ];
  const hunks = [{ start: 1, newStart: 1, lines: ["-a", "+A", " b"] }];

  it("is a patch, with the whole file before it unless that is large", () => {
    const edit = { filePath: "/a", oldString: "a", newString: "A", structuredPatch, userModified: false };
    expect(recorded({ ...edit, originalFile: "a\nb" })).toEqual([
      { does: "patch", path: "/a", hunks, before: "a\nb" },
    ]);
    expect(recorded({ ...edit, originalFile: null })).toEqual([{ does: "patch", path: "/a", hunks }]);
  });

  it("is the whole file where all of it was written", () => {
    const write = { filePath: "/a", content: "A\nb", structuredPatch };
    expect(recorded({ ...write, type: "create", structuredPatch: [], originalFile: null })).toEqual([
      { does: "write", path: "/a", text: "A\nb", isNew: true },
    ]);
    expect(recorded({ ...write, type: "update", originalFile: "a\nb" })).toEqual([
      { does: "write", path: "/a", text: "A\nb", before: "a\nb" },
    ]);
    expect(recorded({ ...write, type: "update", originalFile: null })).toEqual([
      { does: "patch", path: "/a", hunks },
    ]);
  });

  it("is the notebook before and after", () => {
    const edit = { notebook_path: "/n.ipynb", cell_id: "c1", original_file: "{}", updated_file: "{ }" };
    expect(recorded(edit)).toEqual([{ does: "write", path: "/n.ipynb", text: "{ }", before: "{}" }]);
  });

  it("is no change of a file where it is a reading, an error, or nothing", () => {
    for (const other of [
      { type: "text", file: { filePath: "/a", content: "a" } },
      { stdout: "x", stderr: "" },
      "Error: String to replace not found in file.",
      undefined,
    ])
      expect(recorded(other)).toEqual([]);
  });
});
