/**
 * The digest of a turn for comparisons: hashes of what was said and done, and a short excerpt. Ids and times are not
 * included.
 */
import { createHash } from "node:crypto";
import { detachString } from "../text/detach-string.ts";
import { wayFrom } from "../values/paths.ts";
import type { Part, ToolPart, Turn } from "./turns.ts";

export const ASPECTS = ["prompt", "answer", "thinking", "calls", "results"] as const;
export type Aspect = (typeof ASPECTS)[number];

export interface TurnDigest {
  readonly index: number;
  /** The beginning of the prompt. */
  readonly user: string;
  /** A hash of each aspect. */
  readonly hashes: Readonly<Record<Aspect, string>>;
  /** A hash of what the calls did, without the vendor's tool names. */
  readonly acts: string;
  /** Files that were written, and commands that were run, each once. */
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

const HEAD = 200;
const WRITES: ReadonlySet<string> = new Set(["create", "edit", "delete"]);

export function toDigest(turn: Turn, workspace: string | undefined): TurnDigest {
  const tools = turn.parts.flatMap(toolsIn);
  const thinking = turn.parts.flatMap((part) => (part.kind === "thinking" ? part.text : []));
  const below = (path: string): string => belowWorkspace(path, workspace);
  const edited = turn.parts.flatMap((part) => (part.kind === "edit" ? part.path : []));
  const written = tools.flatMap(({ act }) => (act && WRITES.has(act.does) ? (act.paths ?? []) : []));
  return {
    index: turn.index,
    user: detachString(turn.user.slice(0, HEAD)),
    hashes: {
      prompt: hash([turn.user]),
      answer: hash([turn.assistant, ...turn.parts.flatMap(summaryIn)]),
      thinking: hash(thinking),
      calls: hash(tools.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)),
      results: hash(tools.map(({ status, result }) => `${status} ${result ?? ""}`)),
    },
    acts: hash(
      tools.map(({ act }) => (act ? `${act.does} ${act.command ?? act.paths?.map(below) ?? ""}` : "")),
    ),
    files: [...new Set([...edited, ...written].map(below).map(detachString))],
    commands: [
      ...new Set(
        tools.flatMap(({ act }) =>
          act?.command === undefined ? [] : detachString(act.command.slice(0, HEAD)),
        ),
      ),
    ],
  };
}

/** What stands before the first prompt, as one hash. */
export const digestParts = (parts: readonly Part[]): string =>
  hash(parts.map(({ origin: _, ...said }) => JSON.stringify(said)));

/** With the calls of sub-agents, in the order in which they were made. */
const toolsIn = (part: Part): ToolPart[] =>
  part.kind === "tool" ? [part, ...(part.children ?? []).flatMap(toolsIn)] : [];

const summaryIn = (part: Part): string[] => (part.kind === "checkpoint" ? [part.summary] : []);

/** A session that was moved to another folder did the same there. */
const belowWorkspace = (path: string, workspace: string | undefined): string =>
  (workspace !== undefined && wayFrom(workspace, path)) || path;

/** Programs differ in how they break and indent what they pass on, so white space counts for one space. */
function hash(texts: readonly string[]): string {
  const digest = createHash("sha1");
  for (const text of texts) digest.update(text.replace(/\s+/g, " ").trim()).update("\n");
  return digest.digest("base64");
}
