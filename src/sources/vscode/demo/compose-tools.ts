/** Composes tool calls as VS Code shows and stores them. */

import type { StoryStep, StoryTool } from "../../../model/session/story.ts";
import { toolMs } from "../../../model/session/story-time.ts";
import { baseName } from "../../../model/values/paths.ts";
import type { JsonObject } from "../../log/jsonl.ts";

type ToolStep = Extract<StoryStep, { kind: "tool" }>;

export interface ComposedTool {
  /** The model's name of the tool, and what it called it with. */
  readonly name: string;
  readonly input: JsonObject;
  /** What VS Code shows: the call, and the edit it made. */
  readonly parts: readonly JsonObject[];
}

interface Shape {
  readonly toolId: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly doing: string;
  readonly done: string;
  readonly data?: JsonObject;
  readonly edit?: JsonObject;
}

export function composeTool(step: ToolStep, id: string, workspace: string, at: number): ComposedTool {
  const shape = toShape(step, workspace, at);
  const call = {
    kind: "toolInvocationSerialized",
    toolId: shape.toolId,
    toolCallId: id,
    invocationMessage: { value: shape.doing },
    pastTenseMessage: { value: shape.done },
    isConfirmed: { type: 1 },
    isComplete: true,
    source: { type: "internal", label: "Built-In" },
    ...(shape.data && { toolSpecificData: shape.data }),
  };
  return { name: shape.name, input: shape.input, parts: shape.edit ? [call, shape.edit] : [call] };
}

function toShape({ tool, ok, output }: ToolStep, workspace: string, at: number): Shape {
  if (tool.does === "run") {
    return {
      toolId: "run_in_terminal",
      name: "run_in_terminal",
      input: { command: tool.command, explanation: tool.why, isBackground: false },
      doing: `Running \`${tool.command}\``,
      done: `Ran \`${tool.command}\``,
      data: {
        kind: "terminal",
        language: "sh",
        commandLine: { original: tool.command },
        cwd: uriOf(workspace),
        terminalCommandOutput: { text: output, lineCount: output.split("\n").length },
        terminalCommandState: { exitCode: ok ? 0 : 1, timestamp: at, duration: toolMs(tool) },
      },
    };
  }
  const path = absolute(tool.path, workspace);
  const name = baseName(path);
  switch (tool.does) {
    case "read":
      return {
        toolId: "copilot_readFile",
        name: "read_file",
        input: { filePath: path, startLine: 1, endLine: Math.max(1, output.split("\n").length) },
        doing: `Reading ${name}`,
        done: `Read ${name}`,
      };
    case "search":
      return {
        toolId: "copilot_findTextInFiles",
        name: "grep_search",
        input: { query: tool.pattern, isRegexp: true, includePattern: tool.path },
        doing: `Searching for \`${tool.pattern}\``,
        done: `Searched for \`${tool.pattern}\``,
      };
    case "create":
      return {
        toolId: "copilot_createFile",
        name: "create_file",
        input: { filePath: path, content: tool.text },
        doing: `Creating ${name}`,
        done: `Created ${name}`,
        ...(ok && { edit: toEdit(path, tool) }),
      };
    case "edit":
      return {
        toolId: "copilot_replaceString",
        name: "replace_string_in_file",
        input: { filePath: path, oldString: tool.before, newString: tool.after },
        doing: `Editing ${name}`,
        done: `Edited ${name}`,
        ...(ok && { edit: toEdit(path, tool) }),
      };
  }
}

/** Of the lines, only those that change: VS Code leaves out what an edit has in common with the file. */
function toEdit(path: string, tool: Extract<StoryTool, { does: "create" | "edit" }>): JsonObject {
  const [before, after] = tool.does === "edit" ? [tool.before, tool.after] : ["", tool.text];
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const changed = b.slice(start, b.length - end);
  // Whole lines, up to the start of the next one; what is put behind all of them stands before the next line of the file.
  const isInside = end > 0 || start === a.length;
  const range = {
    startLineNumber: start + 1,
    startColumn: 1,
    endLineNumber: isInside ? a.length - end + 1 : a.length,
    endColumn: isInside ? 1 : (a.at(-1)?.length ?? 0) + 1,
  };
  const text = changed.join("\n") + (isInside && changed.length > 0 ? "\n" : "");
  return { kind: "textEditGroup", uri: uriOf(path), edits: [[{ text, range }]], done: true };
}

/** A path as VS Code's own tools take it. */
export const absolute = (path: string, workspace: string): string =>
  path.startsWith("/") || /^[a-z]:/i.test(path) ? path : `${workspace.replace(/\/$/, "")}/${path}`;

/** A file as VS Code's URI object; its three spellings must agree. */
export function uriOf(path: string): JsonObject & { readonly external: string } {
  const slashed = path.replaceAll("\\", "/");
  const rooted = slashed.startsWith("/") ? slashed : `/${slashed}`;
  const external = `file://${rooted.split("/").map(encodeURIComponent).join("/")}`;
  return { $mid: 1, fsPath: path, external, path: rooted, scheme: "file" };
}
