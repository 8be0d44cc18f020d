/** What the edit tools of the three programs describe, as diffs. */
import { describe, expect, it } from "vitest";
import type { PartOf } from "../types.ts";
import { editsOf } from "./edits-of.ts";

const call = (input: unknown, does: "edit" | "create" | "run" = "edit"): PartOf<"tool"> => ({
  kind: "tool",
  callId: "c",
  name: "t",
  input,
  status: "ok",
  act: { does },
  origin: { line: 1, start: 0, end: 1 },
});
const brief = (part: PartOf<"tool">) =>
  editsOf(part)?.map(({ path, diff }) => `${path} +${diff.added} -${diff.removed}`);

describe("editsOf", () => {
  it("reads a replacement, by any of its names", () => {
    expect(brief(call({ path: "a.ts", old_str: "x\ny", new_str: "x\nz" }))).toEqual(["a.ts +1 -1"]);
    expect(brief(call({ file_path: "a.ts", old_string: "x", new_string: "" }))).toEqual(["a.ts +0 -1"]);
    expect(brief(call({ filePath: "a.ts", oldString: "x", newString: "y\nz" }))).toEqual(["a.ts +2 -1"]);
  });

  it("reads several replacements, by file", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c", new_string: "d\ne" },
    ];
    expect(brief(call({ file_path: "a.ts", edits }))).toEqual(["a.ts +3 -2"]);
    const replacements = [
      { filePath: "a.ts", oldString: "a", newString: "b" },
      { filePath: "b.ts", oldString: "a", newString: "" },
    ];
    expect(brief(call({ replacements }))).toEqual(["a.ts +1 -1", "b.ts +0 -1"]);
  });

  it("reads a new file", () => {
    expect(brief(call({ path: "a.ts", file_text: "a\nb\n" }, "create"))).toEqual(["a.ts +2 -0"]);
    expect(brief(call({ file_path: "a.ts", content: "a" }, "create"))).toEqual(["a.ts +1 -0"]);
  });

  it("reads a patch", () => {
    const patch =
      "*** Begin Patch\n*** Update File: a.ts\n@@ f\n x\n-y\n+z\n*** Add File: b.ts\n+new\n*** End Patch";
    expect(brief(call({ input: patch }))).toEqual(["a.ts +1 -1", "b.ts +1 -0"]);
    expect(brief(call(patch))).toEqual(["a.ts +1 -1", "b.ts +1 -0"]);
  });

  it("has nothing for other calls, and for edits that do not say what they changed", () => {
    expect(brief(call({ command: "ls" }, "run"))).toBeUndefined();
    expect(brief(call({ explanation: "…" }))).toBeUndefined();
    expect(brief(call(null))).toBeUndefined();
  });
});
