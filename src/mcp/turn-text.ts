/** A turn in words, as long as there is room for. */
import type { Part, ToolPart } from "../model/session/turns.ts";
import { checkpointGist, editGist, gistOf, outcomeOf } from "../present/text/parts.ts";
import { excerpt } from "./excerpt.ts";
import type { Told } from "./tool.ts";

export type TurnJson = Told<"turns">["turns"][number];

/** In characters. */
export interface TurnDetail {
  readonly prompt: number;
  /** Of each text of the agent, and of its last one. */
  readonly text: number;
  readonly last: number;
  /** Of what a tool gave back; nothing of it where this is 0, and nothing of the calls where it is missing. */
  readonly output?: number;
}

/** `words` choose what is kept of a text that is longer. */
export function turnText(turn: TurnJson, detail: TurnDetail, words: readonly string[] = []): string {
  const parts = turn.parts as readonly Part[];
  const last = parts.findLast((part) => part.kind === "text" && part.text.trim() !== "");
  const lines = parts.flatMap((part) => partLines(part, part === last, detail, words));
  return [`User: ${excerpt(turn.user, words, detail.prompt)}`, ...lines].join("\n");
}

function partLines(part: Part, isLast: boolean, detail: TurnDetail, words: readonly string[]): string[] {
  const limit = isLast ? detail.last : detail.text;
  switch (part.kind) {
    case "text":
      return part.text.trim() === "" || limit === 0 ? [] : [`Agent: ${excerpt(part.text, words, limit)}`];
    case "tool":
      return detail.output === undefined ? [] : toolLines(part, detail.output, words);
    case "edit":
      return detail.output === undefined ? [] : [`- changed ${editGist(part, undefined)}`];
    case "checkpoint":
      return [`- ${checkpointGist(part)}`];
    case "notice":
      return part.level === "info" ? [] : [`- ${part.level}: ${excerpt(part.text, words, 300)}`];
    default:
      return [];
  }
}

function toolLines(tool: ToolPart, output: number, words: readonly string[]): string[] {
  const gist = gistOf(tool, undefined).slice(0, Math.max(160, output));
  const outcome = outcomeOf(tool);
  const line = `- ${tool.name}${gist ? ` \`${gist}\`` : ""}${outcome ? ` (${outcome})` : ""}`;
  const result = output > 0 && tool.result?.trim() ? excerpt(tool.result, words, output) : "";
  return result === "" ? [line] : [`${line}:`, result];
}

/** For reading on: the words themselves are kept longest, what tools gave back goes first. */
export const READING: readonly TurnDetail[] = [
  { prompt: 40_000, text: 40_000, last: 40_000, output: 8000 },
  { prompt: 8000, text: 8000, last: 16_000, output: 800 },
  { prompt: 2000, text: 600, last: 4000, output: 0 },
  { prompt: 500, text: 0, last: 900 },
  { prompt: 160, text: 0, last: 240 },
];
