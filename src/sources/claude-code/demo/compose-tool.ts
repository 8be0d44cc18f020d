/** Composes tool calls with Claude Code's own tools. */
import type { StoryImage, StoryStep, StoryTool } from "../../../model/session/story.ts";
import { countSign, linesOf } from "../../../model/session/story-lines.ts";
import { toolMs } from "../../../model/session/story-time.ts";
import type { JsonObject } from "../../log/jsonl.ts";

export interface ToolUse {
  readonly name: string;
  readonly input: JsonObject;
  readonly output: string | JsonObject[];
  readonly ok: boolean;
  /** How long it ran, in milliseconds. */
  readonly ms: number;
  /** What the program keeps for itself beside the words for the model. */
  readonly record: JsonObject | string;
}

export function composeTool({ tool, ok, output, image }: Extract<StoryStep, { kind: "tool" }>): ToolUse {
  if (image)
    return {
      ...callOf(tool),
      ok,
      ms: toolMs(tool),
      output: [composeImage(image)],
      record: {
        type: "image",
        file: {
          base64: image.data,
          type: image.type,
          originalSize: Buffer.from(image.data, "base64").length,
        },
      },
    };
  const use = { ...callOf(tool), output, ok, ms: toolMs(tool) };
  return { ...use, record: ok ? recordOf(tool, output) : `Error: ${output}` };
}

export const composeImage = ({ type, data }: Pick<StoryImage, "type" | "data">): JsonObject => ({
  type: "image",
  source: { type: "base64", media_type: type, data },
});

function callOf(tool: StoryTool): Pick<ToolUse, "name" | "input"> {
  switch (tool.does) {
    case "run":
      return { name: "Bash", input: { command: tool.command, description: tool.why } };
    case "read":
      return { name: "Read", input: { file_path: tool.path } };
    case "search":
      return { name: "Grep", input: { pattern: tool.pattern, path: tool.path, output_mode: "content" } };
    case "create":
      return { name: "Write", input: { file_path: tool.path, content: tool.text } };
    case "edit":
      return {
        name: "Edit",
        input: { file_path: tool.path, old_string: tool.before, new_string: tool.after },
      };
  }
}

/** What the program keeps beside the result of a call. */
export function recordOf(tool: StoryTool, output: string): JsonObject {
  const lines = output.split("\n").length;
  switch (tool.does) {
    case "run":
      return { stdout: output, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
    case "read": {
      const file = { filePath: tool.path, content: output, numLines: lines, startLine: 1, totalLines: lines };
      return { type: "text", file };
    }
    case "search":
      return { mode: "content", numFiles: 0, filenames: [], content: output, numLines: lines };
    case "create":
      return {
        type: "create",
        filePath: tool.path,
        content: tool.text,
        structuredPatch: [],
        originalFile: null,
        userModified: false,
      };
    case "edit":
      return {
        filePath: tool.path,
        oldString: tool.before,
        newString: tool.after,
        // Of the file around it nothing is known, as of one that is too large to be recorded.
        originalFile: null,
        structuredPatch: [patchOf(tool.before, tool.after)],
        userModified: false,
        replaceAll: false,
      };
  }
}

function patchOf(before: string, after: string): JsonObject {
  const lines = linesOf(before, after);
  return {
    oldStart: 1,
    oldLines: lines.length - countSign(lines, "+"),
    newStart: 1,
    newLines: lines.length - countSign(lines, "-"),
    lines: lines.map(({ sign, text }) => `${sign}${text}`),
  };
}
