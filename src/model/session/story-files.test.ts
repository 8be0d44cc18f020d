import { expect, it } from "vitest";
import type { StoryStep, StoryTool } from "./story.ts";
import { filesOf } from "./story-files.ts";

const did = (tool: StoryTool, ok = true): StoryStep => ({ kind: "tool", tool, ok, output: "" });
const turn = (...steps: StoryStep[]) => ({ at: "2026-11-15T00:00:00Z", user: "Go on", steps });

it("follows files through creations and edits, turn by turn", () => {
  const { turns, last } = filesOf({
    files: { "/a": "one two\n" },
    turns: [
      turn(did({ does: "read", path: "/a" })),
      turn(
        did({ does: "edit", path: "/a", before: "one", after: "1" }),
        did({ does: "create", path: "/b", text: "new\n" }),
        did({ does: "edit", path: "/a", before: "two", after: "2" }),
      ),
      turn(did({ does: "edit", path: "/b", before: "new", after: "old" }, false)),
    ],
  });
  expect(turns).toEqual([
    [],
    [
      { path: "/a", before: "one two\n", after: "1 2\n" },
      { path: "/b", after: "new\n" },
    ],
    [],
  ]);
  expect([...last]).toEqual([
    ["/a", "1 2\n"],
    ["/b", "new\n"],
  ]);
});

it("refuses an edit of what is not in the file, or more than once", () => {
  const edit = did({ does: "edit", path: "/a", before: "x", after: "y" });
  for (const text of ["z", "xx"])
    expect(() => filesOf({ files: { "/a": text }, turns: [turn(edit)] })).toThrow("exactly once");
});
