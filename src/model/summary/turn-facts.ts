/** The facts of one turn for a summary: the request, its outcome, commands, files, decisions and open ends. */

import { type Ref, refsOfRun } from "../session/refs.ts";
import type { Part, ToolPart, Turn } from "../session/turns.ts";
import { detachString } from "../text/detach-string.ts";
import { clip } from "./summary.ts";

export interface Run {
  /** The command, or the tool with what it was about. */
  readonly what: string;
  /** The same work is known by it when it is tried again. */
  readonly key: string;
  readonly ok: boolean;
  /** The line that says most about a failure. */
  readonly error?: string;
}

export interface Touch {
  readonly path: string;
  readonly did: "create" | "edit" | "delete" | "read";
}

/** In the order in which it happened: a fix comes between a failure and the next try. */
export type Deed = ({ readonly kind: "run" } & Run) | ({ readonly kind: "touch" } & Touch);

export interface TurnFacts {
  readonly index: number;
  readonly startedAt?: string;
  readonly request: string;
  readonly outcome: string;
  readonly deeds: readonly Deed[];
  readonly refs: readonly Ref[];
  /** What the user insisted on. */
  readonly wishes: readonly string[];
  /** What the agent decided, found out or warned of. */
  readonly remarks: readonly string[];
  /** Unticked boxes, and questions of the agent. */
  readonly open: readonly string[];
}

const LIMITS = { request: 600, outcome: 400, line: 240, deeds: 60, remarks: 4 };

const INSISTS =
  /\b(always|never|must|don't|do not|should(?:n't)?|prefer|only|make sure|ensure|avoid|instead)\b/i;
const DECIDES =
  /\b(decided|instead of|rather than|turns? out|root cause|the (?:problem|cause|reason|issue) (?:was|is)|chose|because|workaround|note that|caveat|gotcha|careful|important(?:ly)?|assum(?:ed|ing|ption))\b/i;
const SAYS_WHY =
  /\b(error|fail(?:ed|ure|s)?|exception|cannot|can't|not found|denied|undefined|unexpected|expected|panic|fatal|no such|invalid)\b/i;

export function toFacts(turn: Turn): TurnFacts {
  const tools = turn.parts.flatMap(toolsIn);
  const answers = turn.parts.flatMap((part) =>
    part.kind === "text" && part.text.trim() !== "" ? [part.text] : [],
  );
  const last = answers.at(-1) ?? "";
  const remarks = answers.flatMap(sentencesOf).filter((sentence) => DECIDES.test(sentence));
  const asked = sentencesOf(last).filter((sentence) => sentence.endsWith("?"));
  const boxes = [...last.matchAll(/^[ \t]*[-*] \[ \] (.+)$/gm)].map((match) => match[1] ?? "");
  const keep = (sentences: readonly string[]): string[] =>
    [...new Set(sentences.map((sentence) => detachString(clip(sentence, LIMITS.line))))].slice(
      -LIMITS.remarks,
    );
  return {
    index: turn.index,
    ...(turn.startedAt !== undefined && { startedAt: turn.startedAt }),
    request: detachString(clip(withoutCode(turn.user), LIMITS.request)),
    outcome: detachString(clip(withoutCode(last), LIMITS.outcome)),
    deeds: [...tools.flatMap(toDeeds), ...editsBeside(turn, tools)].slice(-LIMITS.deeds),
    refs: tools.flatMap(({ name, act, result }) =>
      act?.command === undefined ? [] : refsOfRun(name, act.command, result ?? ""),
    ),
    wishes: keep(sentencesOf(turn.user).filter((sentence) => INSISTS.test(withoutQuotes(sentence)))),
    remarks: keep(remarks),
    open: keep([...boxes, ...asked.slice(-1)]),
  };
}

/** With the calls of sub-agents, in the order in which they were made. */
const toolsIn = (part: Part): ToolPart[] =>
  part.kind === "tool" ? [part, ...(part.children ?? []).flatMap(toolsIn)] : [];

const DOES = { create: "create", edit: "edit", delete: "delete", read: "read" } as const;

function toDeeds({ name, act, status, result }: ToolPart): Deed[] {
  const ok = status === "ok";
  const does = act && act.does in DOES ? DOES[act.does as keyof typeof DOES] : undefined;
  if (ok && does)
    return (act?.paths ?? []).map((path) => ({ kind: "touch", path: detachString(path), did: does }));
  // A look around that worked out is not worth a word; what failed is.
  if (act?.command === undefined && ok) return [];
  const what = clip(act?.command ?? [name, ...(act?.paths ?? [])].join(" "), 160);
  const error = ok || status === "pending" ? undefined : errorIn(result ?? "");
  const run = { what: detachString(what), key: keyOf(act?.command ?? what), ok };
  return [{ kind: "run", ...run, ...(error !== undefined && { error: detachString(error) }) }];
}

/** Edits that the vendor recorded apart from a call, or made by a tool that nobody knows. */
function editsBeside(turn: Turn, tools: readonly ToolPart[]): Deed[] {
  const known = new Set(tools.flatMap(({ act }) => act?.paths ?? []));
  return turn.parts.flatMap((part) =>
    part.kind === "edit" && !known.has(part.path)
      ? [{ kind: "touch", path: detachString(part.path), did: "edit" } as const]
      : [],
  );
}

/** Its program and what that is to do: options and redirections change from one try to the next. */
const keyOf = (command: string): string =>
  command
    .replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, "")
    .split(/\s+/)
    .filter((word) => !/^-|^\d?>|=/.test(word))
    .slice(0, 3)
    .join(" ");

function errorIn(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.find((line) => SAYS_WHY.test(line)) ?? lines.at(-1);
  return telling === undefined ? "no output" : clip(telling, 200);
}

const withoutQuotes = (text: string): string => text.replace(/`[^`]*`|"[^"]*"/g, "");

const withoutCode = (text: string): string => text.replace(/```[\s\S]*?(?:```|$)/g, " […] ");

const sentencesOf = (text: string): string[] =>
  withoutCode(text)
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^\s*(?:[-*#>]+|\d+[.)])\s+/, "").trim())
    .filter((sentence) => sentence.length > 12 && sentence.length < 600);
