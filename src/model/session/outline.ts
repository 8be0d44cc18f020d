/** The turns of a session in a line each: what was asked, when, and how much happened. */
import type { Event, Origin, ToolCallEvent } from "./session.ts";
import { textBytesOf, toTokens } from "./turn-size.ts";
import { lengthensTurn, startsTurn } from "./turns.ts";

export interface TurnOutline {
  /** Counted from 0. */
  readonly index: number;
  /** How the prompt begins, on one line. */
  readonly prompt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Its size in the log, where it stands there in one piece. */
  readonly bytes?: number;
  /** About how many the model receives of it; see `turn-size.ts`. */
  readonly estimatedTokens: number;
  /** With those of sub-agents. */
  readonly toolCalls: number;
  readonly failedCalls: number;
  readonly filesChanged: number;
  /** Older turns were replaced by a summary in it. */
  readonly hasCheckpoint: boolean;
}

export interface Outline {
  /** Something stands before the first prompt. */
  readonly hasPreamble: boolean;
  readonly turns: readonly TurnOutline[];
}

const LONGEST_PROMPT = 200;
/** So much of a prompt is looked at, in characters. */
export const PROMPT_HEAD = 400;

/** The start of a prompt, of which the first `PROMPT_HEAD` characters are enough. */
export function toPromptLine(text: string): string {
  const [head = ""] = text.slice(0, PROMPT_HEAD).split("\0", 1); // as far as SQLite tells a text
  const line = head.replace(/\s+/gu, " ").trim();
  if (line.length <= LONGEST_PROMPT) return line;
  const start = line.slice(0, LONGEST_PROMPT);
  return `${/[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start}…`;
}

/** Whether an event is shown before the first prompt when it comes there. */
export const makesPart = ({ kind }: Event): boolean =>
  kind !== "prompt" && kind !== "usage" && kind !== "tool-result";

const CHANGES: readonly string[] = ["create", "edit", "delete"];

/** The files that a call changes if it succeeds. */
export const changedBy = (act: ToolCallEvent["act"]): readonly string[] =>
  act && CHANGES.includes(act.does) ? (act.paths ?? []).filter((path) => path !== "") : [];

export interface ChangedFiles {
  add(path: string): void;
  count(): number;
  /** As numbers, from which counting can continue. */
  state(): readonly number[];
}

/** Nobody reads more names, and a turn that changed more is not interrupted for counting them. */
const MOST_FILES = 1000;

/** Counts files, each once. */
export function createChangedFiles(before: readonly number[] = []): ChangedFiles {
  const known = new Set(before);
  return {
    add(path) {
      if (known.size < MOST_FILES) known.add(hashOf(path));
    },
    count: () => known.size,
    state: () => [...known],
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

export interface OutlineBuilder {
  event(event: Event): void;
  /** `size` is that of the log, with which the last turn ends. */
  end(size: number): Outline;
}

interface OpenTurn extends Pick<TurnOutline, "index" | "prompt" | "startedAt"> {
  endedAt?: string;
  bytes?: number;
  textBytes: number;
  hasCheckpoint: boolean;
  toolCalls: number;
  failedCalls: number;
  readonly files: ChangedFiles;
  readonly at: Pick<Origin, "file" | "start">;
}

/** `ranges` is whether turns stand in one piece in logs of this source. The indexer counts by the same rules. */
export function createOutline({ ranges }: { readonly ranges: boolean }): OutlineBuilder {
  const turns: OpenTurn[] = [];
  const calls = new Map<string, { readonly call: ToolCallEvent; readonly turn: number }>();
  const counts = new Map<number, { calls: number; failed: number }>();
  let hasPreamble = false;
  const count = (turn: number, isFailed: boolean): void => {
    const known = counts.get(turn) ?? { calls: 0, failed: 0 };
    counts.set(turn, { calls: known.calls + 1, failed: known.failed + (isFailed ? 1 : 0) });
  };
  const close = (turn: OpenTurn | undefined, end: number | undefined): void => {
    if (turn && ranges && end !== undefined && end > turn.at.start) turn.bytes = end - turn.at.start;
  };
  return {
    event(event) {
      const open = turns.at(-1);
      if (startsTurn(event)) {
        close(open, open?.at.file === event.origin.file ? event.origin.start : undefined);
        turns.push({
          index: turns.length,
          prompt: toPromptLine(event.text.trim()),
          textBytes: textBytesOf(event),
          hasCheckpoint: false,
          toolCalls: 0,
          failedCalls: 0,
          files: createChangedFiles(),
          at: event.origin,
          ...(event.time !== undefined && { startedAt: event.time }),
        });
        return;
      }
      if (!open && makesPart(event)) hasPreamble = true;
      if (open && event.time !== undefined && lengthensTurn(event)) open.endedAt = event.time;
      if (open) open.textBytes += textBytesOf(event);
      if (open && event.kind === "compaction") open.hasCheckpoint = true;
      if (open && event.kind === "edit") open.files.add(event.path);
      // What belongs to no turn counts for the next one, as in the store.
      if (event.kind === "tool-call") calls.set(event.callId, { call: event, turn: open?.index ?? 0 });
      const known = event.kind === "tool-result" ? calls.get(event.callId) : undefined;
      if (event.kind !== "tool-result" || !known) return;
      calls.delete(event.callId);
      count(known.turn, event.status === "failed");
      if (event.status === "ok" && open?.index === known.turn)
        for (const path of changedBy(known.call.act)) open.files.add(path);
    },
    end(size) {
      for (const { turn } of calls.values()) count(turn, false);
      close(turns.at(-1), turns.at(-1)?.at.file === undefined ? size : undefined);
      return {
        hasPreamble,
        turns: turns.map(({ files, at: _, textBytes, ...turn }) => ({
          ...turn,
          estimatedTokens: toTokens(textBytes),
          toolCalls: counts.get(turn.index)?.calls ?? 0,
          failedCalls: counts.get(turn.index)?.failed ?? 0,
          filesChanged: files.count(),
        })),
      };
    },
  };
}
