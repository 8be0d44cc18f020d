/** One-line summaries of the parts of a turn, for every kind of page. */

import type { Approval, NoteItem } from "../../model/session/session.ts";
import type { NotePart, Part, ToolPart } from "../../model/session/turns.ts";
import { trimEndOf } from "../../model/text/trim-end.ts";
import { chars, plural } from "./measure.ts";
import { oneLine } from "./plain.ts";

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
  const root = `${trimEndOf(workspace ?? "", "/\\")}/`;
  return root.length > 1 ? text.replaceAll(root, "") : text;
}

export function outcomeOf(tool: ToolPart): string {
  if (tool.status === "pending") return "no result";
  const size = tool.resultSize === undefined ? "" : chars(tool.resultSize);
  return tool.status === "ok" ? size : [tool.status, size].filter(Boolean).join(", ");
}

/** "12 steps by a sub-agent, 4 of them tool calls" */
export function childrenGist(children: readonly Part[]): string {
  const steps = children.filter((part) => part.kind !== "note");
  const tools = steps.filter((part) => part.kind === "tool").length;
  return `${plural(steps.length, "step", "steps")} by a sub-agent, ${plural(tools, "tool call", "tool calls")}`;
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

const APPROVAL_WORDS: Record<Approval, string> = {
  "not-needed": "needed no approval",
  setting: "approved by a setting",
  rule: "approved by a rule",
  user: "approved by the user",
  denied: "denied",
  skipped: "skipped",
};

/** "GitHub (mcp), approved by the user"; empty where nothing is known. */
export function provenanceOf({ provider, approval }: ToolPart): string {
  const from = provider && (provider.name === "" ? provider.kind : `${provider.name} (${provider.kind})`);
  return [from, approval && APPROVAL_WORDS[approval]]
    .filter((words) => words !== undefined)
    .map(oneLine)
    .join(", ");
}

const NOTE_TITLES: Record<NotePart["about"], string> = {
  tasks: "tasks",
  references: "references",
  citations: "code citations",
  followups: "suggested next",
  details: "answered by",
  agent: "agent",
};
const TASK_MARKS = { open: "·", active: "…", done: "✓" } as const;

/** A title, and a line for each item; what has one item stands on one line. */
export function noteLines(note: NotePart, workspace: string | undefined): readonly [string, ...string[]] {
  const title = NOTE_TITLES[note.about];
  const done = note.items.filter(({ status }) => status === "done").length;
  const lines = note.items.map((item) => itemText(item, workspace));
  const [only] = lines;
  if (note.about === "tasks") return [`${title}, ${done} of ${note.items.length} done`, ...lines];
  return lines.length === 1 && only !== undefined ? [`${title}: ${only}`] : [title, ...lines];
}

function itemText({ text, path, detail, status }: NoteItem, workspace: string | undefined): string {
  const mark = status === undefined ? "" : `${TASK_MARKS[status]} `;
  const where = path === undefined || path === text ? "" : ` (${below(workspace, path)})`;
  const more = detail ? `: ${detail}` : "";
  return oneLine(`${mark}${path === text ? below(workspace, text) : text}${where}${more}`);
}
