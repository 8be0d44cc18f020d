import { expect, it } from "vitest";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { collect, openCatalog } from "../catalog.ts";
import { SOURCES } from "../registry.ts";
import type { Source } from "../source.ts";
import { patches } from "./actions.ts";

const act = (source: string, name: string, input: unknown) =>
  SOURCES.find((candidate) => candidate.id === source)?.actionOf?.(name, input);

it("tells the same act whatever the vendor calls the tool", () => {
  const run = { does: "run", command: "ls" };
  expect(act("copilot-cli", "bash", { command: "ls" })).toEqual(run);
  expect(act("claude-code", "Bash", { command: "ls" })).toEqual(run);
  expect(act("vscode", "run_in_terminal", { command: "ls" })).toEqual(run);
  const edit = { does: "edit", paths: ["a.ts"] };
  expect(act("copilot-cli", "edit", { path: "a.ts", old_str: "" })).toEqual(edit);
  expect(act("claude-code", "Edit", { file_path: "a.ts" })).toEqual(edit);
  expect(act("vscode", "copilot_replaceString", { filePath: "a.ts" })).toEqual(edit);
  expect(
    act("vscode", "multi_replace_string_in_file", {
      replacements: [{ filePath: "a.ts" }, { filePath: "a.ts" }, null],
    }),
  ).toEqual(edit);
});

it("says nothing of tools it does not know, and little of odd input", () => {
  expect(act("claude-code", "mcp__jira__search", {})).toBeUndefined();
  expect(act("claude-code", "constructor", {})).toBeUndefined();
  expect(act("claude-code", "Bash", null)).toEqual({ does: "run" });
  expect(act("claude-code", "Read", { file_path: 7 })).toEqual({ does: "read" });
});

it("reads the files out of a patch", () => {
  expect(
    patches("*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: b.ts\n+z\n*** End Patch"),
  ).toEqual({ does: "edit", paths: ["src/a.ts", "b.ts"] });
  expect(patches("*** Add File: b.ts\n+z")).toEqual({ does: "create", paths: ["b.ts"] });
  expect(patches("*** Delete File: b.ts")).toEqual({ does: "delete", paths: ["b.ts"] });
  expect(patches("*** Update File: a.ts\n*** Move to: b.ts\n@@")).toEqual({
    does: "edit",
    paths: ["a.ts", "b.ts"],
  });
});

it("puts the act on every call that passes the catalog", async () => {
  const origin = { line: 1, start: 0, end: 1 };
  const source = {
    id: "fake",
    label: "Fake",
    locate: () => ["/root"],
    scan: async () => undefined,
    read: async (_fs, artifact, sink) => {
      sink.event({ kind: "tool-call", callId: "1", name: "sh", input: { c: "ls" }, origin });
      sink.event({ kind: "tool-call", callId: "2", name: "other", input: {}, origin });
      return {
        source: "fake",
        id: artifact.id,
        title: "",
        turns: 0,
        problems: 0,
        models: [],
        path: "/x",
        bytes: 0,
      };
    },
    actionOf: (name) => (name === "sh" ? { does: "run" as const, command: "ls" } : undefined),
  } satisfies Source;
  const catalog = openCatalog([source], { platform: "linux", homeDir: "/", vars: {} }, createMemoryFs());
  const { events } = await collect(catalog, {
    source: "fake",
    id: "a",
    root: "/root",
    path: "/x",
    fingerprint: { size: 0, mtimeMs: 0, ino: 0 },
  });
  expect(events.map((event) => (event.kind === "tool-call" ? event.act : undefined))).toEqual([
    { does: "run", command: "ls" },
    undefined,
  ]);
});
