import { describe, expect, it } from "vitest";
import { baselinesOf, editsInOperation, editsInPart } from "./response/recorded-edits.ts";
import { toolEdits } from "./tool-edits.ts";

const replace = (path: string, before: string, after: string) => ({
  does: "replace",
  path,
  pairs: [{ before, after }],
});

describe("calls", () => {
  it("are known under both names of a tool", () => {
    for (const name of ["replace_string_in_file", "copilot_replaceString"])
      expect(toolEdits(name, { filePath: "/a", oldString: "x", newString: "y" })).toEqual([
        replace("/a", "x", "y"),
      ]);
    expect(toolEdits("create_file", { filePath: "/a", content: "x" })).toEqual([
      { does: "write", path: "/a", text: "x", isNew: true },
    ]);
  });

  it("may change several files at once", () => {
    const replacements = [
      { filePath: "/a", oldString: "1", newString: "2" },
      { filePath: "/b", oldString: "3", newString: "4" },
    ];
    expect(toolEdits("multi_replace_string_in_file", { explanation: "", replacements })).toEqual([
      replace("/a", "1", "2"),
      replace("/b", "3", "4"),
    ]);
    expect(toolEdits("apply_patch", { input: "*** Delete File: a\n*** Delete File: b" })).toHaveLength(2);
  });

  it("may leave out what stays", () => {
    const code = "// ...existing code...\nfirst();\nsecond();\n// ... existing code ...\n\nthird();\n";
    expect(toolEdits("insert_edit_into_file", { filePath: "/a", code })).toEqual([
      { does: "fragment", path: "/a", texts: ["first();\nsecond();", "third();"] },
    ]);
  });
});

const uri = (path: string) => ({ $mid: 1, path, scheme: "file" });
const edit = (line: number, text: string) => ({
  text,
  range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
});
const splice = (line: number, text: string) => ({
  startLine: line,
  startColumn: 1,
  endLine: line,
  endColumn: 1,
  text,
});

describe("what is recorded", () => {
  it("in an answer has places, step by step", () => {
    const group = { kind: "textEditGroup", uri: uri("/a"), edits: [[edit(1, "x\n")], [edit(5, "y\n"), {}]] };
    expect(editsInPart(group, "/a")).toEqual([
      { does: "splice", path: "/a", steps: [[splice(1, "x\n")], [splice(5, "y\n")]] },
    ]);
    expect(editsInPart({ ...group, edits: [edit(2, "z")] }, "/a")).toEqual([
      { does: "splice", path: "/a", steps: [[splice(2, "z")]] },
    ]);
  });

  it("moves and deletes files", () => {
    const part = {
      kind: "workspaceEdit",
      edits: [{ oldResource: uri("/a"), newResource: uri("/b") }, { oldResource: uri("/c") }],
    };
    expect(editsInPart(part, "/b")).toEqual([
      { does: "move", path: "/a", to: "/b" },
      { does: "delete", path: "/c" },
    ]);
  });

  it("in an editing session is of several kinds", () => {
    const operations = [
      { type: "create", uri: uri("/a"), initialContent: "x\n" },
      { type: "textEdit", uri: uri("/a"), edits: [edit(1, "y\n")] },
      { type: "rename", oldUri: uri("/a"), newUri: uri("/b") },
      { type: "delete", uri: uri("/b") },
      { type: "notebookEdit", uri: uri("/n") },
    ];
    expect(operations.map(editsInOperation)).toEqual([
      [{ does: "write", path: "/a", text: "x\n", isNew: true }],
      [{ does: "splice", path: "/a", steps: [[splice(1, "y\n")]] }],
      [{ does: "move", path: "/a", to: "/b" }],
      [{ does: "delete", path: "/b" }],
      [],
    ]);
  });

  it("has the files as they were before", () => {
    const fileBaselines = [["key", { uri: uri("/a"), requestId: "r1", content: "old\n", epoch: 0 }], ["bad"]];
    expect(baselinesOf({ timeline: { fileBaselines } })).toEqual(
      new Map([["r1", new Map([["/a", "old\n"]])]]),
    );
  });
});
