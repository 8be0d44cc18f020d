/** One-line summaries of the parts of a turn, for every kind of page. */

import type { Part, ToolPart } from "../../model/session/turns.ts";
import { withoutEndSeparators } from "../../model/values/paths.ts";
import { chars, plural } from "./measure.ts";
import { oneLine } from "./text.ts";

export const STATUS_MARKS: Record<ToolPart["status"], string> = {
  ok: "✓",
  failed: "✗",
  interrupted: "◌",
  pending: "◌",
};

/** The command or path where we know the tool, else the vendor's own words for the call, else its first text argument. */
export function gistOf(tool: ToolPart, workspace: string | undefined): string {
  const known = tool.act?.command ?? tool.act?.paths?.join(", ");
  return oneLine(below(workspace, known || tool.label || firstText(tool.input)).slice(0, 500));
}

function firstText(input: unknown): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return "";
  return Object.values(input).find((value) => typeof value === "string" && value.trim() !== "") ?? "";
}

/** Below the workspace, its path says nothing new. */
function below(workspace: string | undefined, text: string): string {
  const root = `${withoutEndSeparators(workspace ?? "")}/`;
  return root.length > 1 ? text.replaceAll(root, "") : text;
}

export function outcomeOf(tool: ToolPart): string {
  if (tool.status === "pending") return "no result";
  const size = tool.resultSize === undefined ? "" : chars(tool.resultSize);
  return tool.status === "ok" ? size : [tool.status, size].filter(Boolean).join(", ");
}

/** "12 steps by a sub-agent, 4 of them tool calls" */
export function childrenGist(children: readonly Part[]): string {
  const tools = children.filter((part) => part.kind === "tool").length;
  return `${plural(children.length, "step", "steps")} by a sub-agent, ${plural(tools, "tool call", "tool calls")}`;
}

export const thinkingGist = (text: string): string =>
  `thinking, ${chars(text.length)}: ${oneLine(text.slice(0, 300))}`;

export function checkpointGist(part: Extract<Part, { kind: "checkpoint" }>): string {
  const number = part.number === undefined ? "" : ` ${part.number}`;
  const title = part.title ? `: ${oneLine(part.title)}` : "";
  return `checkpoint${number}${title} (for the model, everything before it is replaced by a summary, ${chars(part.summary.length)})`;
}

export const CLEAR_GIST = "context cleared: the model no longer sees what is above";

export function editGist(part: Extract<Part, { kind: "edit" }>, workspace: string | undefined): string {
  const added = part.added === undefined ? "" : ` +${part.added}`;
  const removed = part.removed === undefined ? "" : ` −${part.removed}`;
  return `${oneLine(below(workspace, part.path))}${added}${removed}`;
}

/** The arguments of a call, one a line; a text of many lines stands as it was written. */
export function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return JSON.stringify(input) ?? "";
  return Object.entries(input)
    .map(([name, value]) => {
      const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
      return text.includes("\n") ? `${name}:\n${text.replace(/^/gm, "  ").trimEnd()}` : `${name}: ${text}`;
    })
    .join("\n");
}
