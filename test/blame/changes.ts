/** One change to a file as each agent would make and record it. */
import type { AgentSession, ToolUse } from "./sessions.ts";

/** Lines in the middle of a file that are exchanged; the lines of `marks` begin with a space, a minus or a plus. */
export interface Change {
  readonly path: string;
  readonly before: readonly string[];
  readonly at: number;
  readonly marks: readonly string[];
}

export type How = "create" | "text" | "several" | "patch" | "whole" | "places";

/** What an agent can do. */
export const WAYS: Readonly<Record<AgentSession["source"], readonly How[]>> = {
  "copilot-cli": ["text", "text", "patch"],
  "claude-code": ["text", "text", "several", "whole"],
  vscode: ["text", "several", "patch", "places"],
};

const oldOf = (marks: readonly string[]): string[] =>
  marks.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
const newOf = (marks: readonly string[]): string[] =>
  marks.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));

export const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

export function afterOf({ before, at, marks }: Change): string[] {
  return [...before.slice(0, at), ...newOf(marks), ...before.slice(at + oldOf(marks).length)];
}

/** The change with some lines around it, as many as a text needs to be the only one of its kind. */
function widened({ before, at, marks }: Change, least: number): { start: number; lines: string[] } {
  const end = at + oldOf(marks).length;
  for (let context = least; ; context++) {
    const [start, last] = [Math.max(0, at - context), Math.min(before.length, end + context)];
    const text = before.slice(start, last).join("\n");
    const isWhole = start === 0 && last === before.length;
    if (isWhole || textOf(before).split(text).length === 2) {
      const around = (from: number, to: number) => before.slice(from, to).map((line) => ` ${line}`);
      return { start, lines: [...around(start, at), ...marks, ...around(end, last)] };
    }
  }
}

/** As diffs of whole files have it: three lines around, whether or not they tell the place. */
function hunkOf({ before, at, marks }: Change) {
  const end = at + oldOf(marks).length;
  const start = Math.max(0, at - 3);
  const lines = [
    ...before.slice(start, at).map((line) => ` ${line}`),
    ...marks,
    ...before.slice(end, end + 3).map((line) => ` ${line}`),
  ];
  return { start: start + 1, old: oldOf(lines).length, fresh: newOf(lines).length, lines };
}

const pairOf = (change: Change, least = 0): { before: string; after: string } => {
  const { lines } = widened(change, least);
  return { before: oldOf(lines).join("\n"), after: newOf(lines).join("\n") };
};

const patchOf = (change: Change): string =>
  [
    "*** Begin Patch",
    `*** Update File: ${change.path}`,
    "@@",
    ...widened(change, 3).lines,
    "*** End Patch",
  ].join("\n");

/** A text within one line for another, of which programs that keep nothing but the call say no more than this. */
export function fragmentUse(
  source: AgentSession["source"],
  path: string,
  old: string,
  fresh: string,
): ToolUse {
  if (source === "copilot-cli")
    return { name: "edit", input: { path, old_str: old, new_str: fresh }, ok: true };
  if (source === "vscode")
    return {
      name: "replace_string_in_file",
      input: { filePath: path, oldString: old, newString: fresh },
      ok: true,
    };
  const edits = [{ old_string: old, new_string: fresh }];
  return { name: "MultiEdit", input: { file_path: path, edits }, ok: true };
}

export function toolUse(source: AgentSession["source"], how: How, change: Change, ok = true): ToolUse {
  if (source === "copilot-cli") return { ok, ...copilot(how, change) };
  return { ok, ...(source === "claude-code" ? claude(how, change) : vsCode(how, change)) };
}

function copilot(how: How, change: Change): Omit<ToolUse, "ok"> {
  const { path } = change;
  if (how === "create")
    return {
      name: "create",
      input: { path, file_text: textOf(afterOf(change)) },
      record: { fileEdits: [{ path, kind: "create" }] },
    };
  if (how === "patch") return { name: "apply_patch", input: { patch: patchOf(change) } };
  const { before, after } = pairOf(change);
  const { start, old, fresh, lines } = hunkOf(change);
  const diff = `\ndiff --git a${path} b${path}\n--- a${path}\n+++ b${path}\n@@ -${start},${old} +${start},${fresh} @@\n${lines.join("\n")}\n`;
  return {
    name: "edit",
    input: { path, old_str: before, new_str: after },
    record: { fileEdits: [{ path, kind: "edit" }], result: { content: "updated", detailedContent: diff } },
  };
}

/** Larger files are not recorded with their changes; here from so many lines on. */
const LARGE = 60;

function claude(how: How, change: Change): Omit<ToolUse, "ok"> {
  const filePath = change.path;
  const content = textOf(afterOf(change));
  if (how === "create")
    return {
      name: "Write",
      input: { file_path: filePath, content },
      record: { type: "create", filePath, content, structuredPatch: [], originalFile: null },
    };
  const { start, old, fresh, lines } = hunkOf(change);
  const untabbed = lines.map(
    (line) => line.charAt(0) + line.slice(1).replace(/^\t+/, (tabs) => "  ".repeat(tabs.length)),
  );
  const structuredPatch = [
    { oldStart: start, oldLines: old, newStart: start, newLines: fresh, lines: untabbed },
  ];
  const originalFile = change.before.length < LARGE ? textOf(change.before) : null;
  if (how === "whole")
    return {
      name: "Write",
      input: { file_path: filePath, content },
      record: { type: "update", filePath, content, structuredPatch, originalFile },
    };
  const { before, after } = pairOf(change);
  const pair = { old_string: before, new_string: after };
  // Before there was nothing but the call, as in early versions.
  if (how === "several") return { name: "MultiEdit", input: { file_path: filePath, edits: [pair] } };
  return {
    name: "Edit",
    input: { file_path: filePath, ...pair, replace_all: false },
    record: { filePath, oldString: before, newString: after, originalFile, structuredPatch },
  };
}

function vsCode(how: How, change: Change): Omit<ToolUse, "ok"> {
  const filePath = change.path;
  if (how === "create") return { name: "create_file", input: { filePath, content: textOf(afterOf(change)) } };
  if (how === "patch") return { name: "apply_patch", input: { input: patchOf(change), explanation: "" } };
  if (how === "places") {
    const end = change.at + oldOf(change.marks).length;
    const range = { startLineNumber: change.at + 1, startColumn: 1, endLineNumber: end + 1, endColumn: 1 };
    const edit = { text: textOf(newOf(change.marks)), range };
    const uri = { $mid: 1, path: filePath, scheme: "file" };
    return {
      name: "insert_edit_into_file",
      input: {
        filePath,
        code: `// ...existing code...\n${newOf(change.marks).join("\n")}\n// ...existing code...`,
        explanation: "",
      },
      parts: [{ kind: "textEditGroup", uri, edits: [[edit]], done: true }],
      baseline: { path: filePath, content: textOf(change.before) },
    };
  }
  const { before, after } = pairOf(change, 1);
  const pair = { filePath, oldString: before, newString: after };
  return how === "several"
    ? { name: "multi_replace_string_in_file", input: { explanation: "", replacements: [pair] } }
    : { name: "replace_string_in_file", input: pair };
}
