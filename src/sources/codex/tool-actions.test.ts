import { expect, it } from "vitest";
import { actionOf } from "./tool-actions.ts";
import { toolEdits } from "./tool-edits.ts";

const PATCH = "*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch";
const EDIT = { does: "patch", path: "a.ts", hunks: [{ lines: ["-a", "+b"] }] };

it("knows commands in the words of every release", () => {
  expect(actionOf("exec_command", { cmd: "ls" })).toEqual({ does: "run", command: "ls" });
  expect(actionOf("shell", { command: ["bash", "-lc", "ls -l"] })).toEqual({ does: "run", command: "ls -l" });
  expect(actionOf("shell", { command: ["git", "status"] })).toEqual({ does: "run", command: "git status" });
  expect(actionOf("spawn_agent", { message: "Look" })).toEqual({ does: "delegate" });
  expect(actionOf("of_somebody_else", {})).toBeUndefined();
});

it("knows what a patch does, as a text, in a command, and as it was recorded", () => {
  const inShell = { command: ["bash", "-lc", `apply_patch <<'EOF'\n${PATCH}\nEOF`] };
  const recorded = { changes: { "/a.ts": { type: "add", content: "b\n" } } };
  expect(actionOf("apply_patch", PATCH)).toEqual({ does: "edit", paths: ["a.ts"] });
  expect(actionOf("shell", inShell)).toEqual({ does: "edit", paths: ["a.ts"] });
  expect(actionOf("apply_patch", recorded)).toEqual({ does: "create", paths: ["/a.ts"] });
  expect(toolEdits("apply_patch", PATCH)).toEqual([EDIT]);
  expect(toolEdits("shell", inShell)).toEqual([EDIT]);
  expect(toolEdits("apply_patch", recorded)).toEqual([
    { does: "write", path: "/a.ts", text: "b\n", isNew: true },
  ]);
});
