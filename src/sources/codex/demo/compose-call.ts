/** Composes calls of Codex CLI's own tools: a shell, patches, and a look at pictures. */
import type { StoryStep, StoryTool } from "../../../model/session/story.ts";
import { linesOf } from "../../../model/session/story-lines.ts";
import { toolMs } from "../../../model/session/story-time.ts";
import { toShell } from "../../../model/text/shell-words.ts";
import type { RolloutStep } from "../write/rollout.ts";

type Call = Pick<Extract<RolloutStep, { kind: "call" }>, "name" | "input" | "output">;

export function composeCall({ tool, ok, output, image }: Extract<StoryStep, { kind: "tool" }>): Call {
  if (image)
    return {
      name: "view_image",
      input: { path: image.path },
      output: [{ type: "input_image", image_url: `data:${image.type};base64,${image.data}` }],
    };
  const seconds = (toolMs(tool) / 1000).toFixed(4);
  if (tool.does === "create" || tool.does === "edit") {
    const done = `Success. Updated the following files:\n${tool.does === "create" ? "A" : "M"} ${tool.path}\n`;
    const said = `Exit code: 0\nWall time: ${seconds} seconds\nOutput:\n${done}`;
    return {
      name: "apply_patch",
      input: patchOf(tool),
      output: ok ? said : `apply_patch verification failed: ${output}`,
    };
  }
  const head = `Wall time: ${seconds} seconds\nProcess exited with code ${ok ? 0 : 1}\nOutput:\n`;
  return { name: "exec_command", input: { cmd: commandOf(tool) }, output: `${head}${output}` };
}

function commandOf(tool: Exclude<StoryTool, { does: "create" | "edit" }>): string {
  if (tool.does === "run") return tool.command;
  return toShell(tool.does === "read" ? ["cat", tool.path] : ["rg", "-n", tool.pattern, tool.path]);
}

function patchOf(tool: Extract<StoryTool, { does: "create" | "edit" }>): string {
  const body =
    tool.does === "create"
      ? [
          `*** Add File: ${tool.path}`,
          ...tool.text
            .replace(/\n$/, "")
            .split("\n")
            .map((line) => `+${line}`),
        ]
      : [
          `*** Update File: ${tool.path}`,
          "@@",
          ...linesOf(tool.before, tool.after).map(({ sign, text }) => `${sign}${text}`),
        ];
  return ["*** Begin Patch", ...body, "*** End Patch"].join("\n");
}
