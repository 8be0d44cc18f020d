/** Folds a stream of events into turns, one at a time, so that a reader never has to hold a whole log. */
import type { Attachment, Event, Origin, PromptEvent, ToolAct, ToolResultEvent } from "./session.ts";

export type Part =
  | { kind: "text"; text: string; origin: Origin; model?: string; cut?: number }
  | { kind: "thinking"; text: string; origin: Origin; cut?: number }
  | ToolPart
  | { kind: "edit"; path: string; added?: number; removed?: number; origin: Origin }
  | { kind: "checkpoint"; summary: string; title?: string; number?: number; origin: Origin }
  | { kind: "clear"; origin: Origin }
  | { kind: "notice"; level: "info" | "warning" | "error"; text: string; origin: Origin };

export interface ToolPart {
  kind: "tool";
  callId: string;
  name: string;
  input: unknown;
  label?: string;
  act?: ToolAct;
  status: "ok" | "failed" | "interrupted" | "pending";
  /** What the tool gave back, as far as it was read. */
  result?: string;
  /** Bytes of a huge record that were left out. */
  cut?: number;
  /** Size of the whole result in characters, whether or not all of it was read. */
  resultSize?: number;
  origin: Origin;
  resultOrigin?: Origin;
  /** The work of a sub-agent that this call started. */
  children?: Part[];
}

export interface Turn {
  /** Counted from 0. */
  index: number;
  user: string;
  /** All answers of the turn, in order, a blank line between them. */
  assistant: string;
  startedAt?: string;
  endedAt?: string;
  attachments: readonly Attachment[];
  parts: Part[];
  origin: Origin;
  /** Bytes of a huge prompt that were left out. */
  cut?: number;
}

export interface TurnBuilder {
  /** Takes the next event; returns the turn that it closes, if any. */
  push(event: Event): Turn | undefined;
  /** The last turn, still open when the log ends. */
  end(): Turn | undefined;
  /** What stands before the first prompt (a compaction carried over, notices). */
  readonly preamble: readonly Part[];
}

/** Sub-agents that start sub-agents nest their work; beyond this it stands beside the call that it would stand in. */
const MOST_NESTED = 32;

/** A call, and where what it starts is put. */
interface KnownCall {
  readonly part: ToolPart;
  readonly level: number;
  /** The parts that it stands among. */
  readonly beside: Part[];
}

/** For so many turns an answered call can still take another result, or the work of its sub-agent. */
const TURNS_REMEMBERED = 16;

export function createTurnBuilder(): TurnBuilder {
  let count = 0;
  let open: Turn | undefined;
  const preamble: Part[] = [];
  // Results may come late, even after the next prompt, so calls are remembered beyond their turn.
  const calls = new Map<string, KnownCall>();
  /** The calls that each of the last turns made, oldest turn first. */
  const recent: string[][] = [[]];

  /** An answered call is let go after a while: the results of a long log would not fit in memory. */
  const forgetOld = (): void => {
    recent.push([]);
    if (recent.length <= TURNS_REMEMBERED) return;
    for (const id of recent.shift() ?? []) if (calls.get(id)?.part.status !== "pending") calls.delete(id);
  };

  const place = (part: Part, event: Event): void => {
    const parent = event.agent === undefined ? undefined : calls.get(event.agent);
    const level = Math.min((parent?.level ?? -1) + 1, MOST_NESTED);
    const beside = parent ? placeIn(parent) : (open?.parts ?? preamble);
    beside.push(part);
    if (part.kind !== "tool") return;
    calls.set(part.callId, { part, level, beside });
    recent.at(-1)?.push(part.callId);
  };

  return {
    preamble,
    push(event) {
      if (startsTurn(event)) {
        const closed = open && finish(open);
        forgetOld();
        open = {
          index: count++,
          user: event.text,
          assistant: "",
          attachments: event.attachments ?? [],
          parts: [],
          origin: event.origin,
          ...(event.time !== undefined && { startedAt: event.time }),
          ...cutOf(event),
        };
        return closed;
      }
      if (open && event.time !== undefined) open.endedAt = event.time;
      if (event.kind === "tool-result") {
        const call = calls.get(event.callId);
        if (call) settle(call.part, event);
        return undefined;
      }
      const part = toPart(event);
      if (part) place(part, event);
      return undefined;
    },
    end() {
      const last = open && finish(open);
      open = undefined;
      return last;
    },
  };
}

function placeIn({ part, level, beside }: KnownCall): Part[] {
  if (level >= MOST_NESTED) return beside;
  part.children ??= [];
  return part.children;
}

/** A sub-agent's prompt starts no turn, and neither does a blank one: there is nothing to answer in it. */
export const startsTurn = (event: Event): event is PromptEvent =>
  event.kind === "prompt" &&
  event.agent === undefined &&
  (event.text.trim() !== "" || (event.attachments?.length ?? 0) > 0);

/** All turns of a list of events; for tests and small sessions. */
export function toTurns(events: Iterable<Event>): Turn[] {
  const builder = createTurnBuilder();
  const turns: Turn[] = [];
  for (const event of events) {
    const closed = builder.push(event);
    if (closed) turns.push(closed);
  }
  const last = builder.end();
  if (last) turns.push(last);
  return turns;
}

function settle(call: ToolPart, event: ToolResultEvent): void {
  call.status = event.status;
  call.result = event.text;
  call.resultSize = event.text.length + (event.cut ?? 0);
  call.resultOrigin = event.origin;
  if (event.cut !== undefined) call.cut = event.cut;
}

function finish(turn: Turn): Turn {
  turn.assistant = turn.parts
    .flatMap((part) => (part.kind === "text" && part.text.trim() !== "" ? [part.text] : []))
    .join("\n\n");
  return turn;
}

const cutOf = ({ cut }: Event): { cut?: number } => (cut === undefined ? {} : { cut });

function toPart(event: Event): Part | undefined {
  const { origin } = event;
  switch (event.kind) {
    case "text":
      return {
        kind: "text",
        text: event.text,
        origin,
        ...(event.model !== undefined && { model: event.model }),
        ...cutOf(event),
      };
    case "thinking":
      return { kind: "thinking", text: event.text, origin, ...cutOf(event) };
    case "tool-call":
      return {
        kind: "tool",
        callId: event.callId,
        name: event.name,
        input: event.input,
        status: "pending",
        origin,
        ...(event.label !== undefined && { label: event.label }),
        ...(event.act !== undefined && { act: event.act }),
      };
    case "edit":
      return {
        kind: "edit",
        path: event.path,
        origin,
        ...(event.added !== undefined && { added: event.added }),
        ...(event.removed !== undefined && { removed: event.removed }),
      };
    case "compaction":
      return {
        kind: "checkpoint",
        summary: event.summary,
        origin,
        ...(event.title !== undefined && { title: event.title }),
        ...(event.checkpoint !== undefined && { number: event.checkpoint }),
      };
    case "clear":
      return { kind: "clear", origin };
    case "notice":
      return { kind: "notice", level: event.level, text: event.text, origin };
    // A sub-agent's own prompt is already the input of the call that started it.
    case "prompt":
    case "usage":
    case "tool-result":
      return undefined;
  }
}
