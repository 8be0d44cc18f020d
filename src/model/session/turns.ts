/** Folds a stream of events into turns, one at a time, so that a reader never has to hold a whole log. */
import type { ImageRef } from "./image-ref.ts";
import type { ResultFacts } from "./result-facts.ts";
import type {
  Approval,
  Attachment,
  Event,
  NoteEvent,
  Origin,
  PromptEvent,
  ToolAct,
  ToolProvider,
  ToolResultEvent,
} from "./session.ts";

export type Part =
  | { kind: "text"; text: string; origin: Origin; model?: string; cut?: number }
  | { kind: "thinking"; text: string; origin: Origin; cut?: number }
  | ToolPart
  | { kind: "edit"; path: string; added?: number; removed?: number; origin: Origin }
  | { kind: "checkpoint"; summary: string; title?: string; number?: number; origin: Origin }
  | { kind: "clear"; origin: Origin }
  | { kind: "notice"; level: "info" | "warning" | "error"; text: string; origin: Origin }
  | NotePart;

/** What the program noted beside the words; pages show it only in full. */
export interface NotePart {
  kind: "note";
  about: NoteEvent["about"];
  items: NoteEvent["items"];
  origin: Origin;
}

export interface ToolPart {
  kind: "tool";
  callId: string;
  name: string;
  input: unknown;
  label?: string;
  provider?: ToolProvider;
  approval?: Approval;
  act?: ToolAct;
  status: "ok" | "failed" | "interrupted" | "pending";
  /** What the tool gave back, as far as it was read. */
  result?: string;
  /** Bytes of a huge record that were left out. */
  cut?: number;
  /** Size of the whole result in characters, whether or not all of it was read. */
  resultSize?: number;
  /** Of the whole result, where `result` is only its beginning. */
  facts?: ResultFacts;
  /** Of a command, where its program noted it. */
  exitCode?: number;
  /** From the start of the tool to its end, where its program noted both. */
  durationMs?: number;
  /** Pictures among what it gave back. */
  images?: readonly ImageRef[];
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

/** Characters that are held of one turn; what goes beyond is cut, and counted as cut. */
const MOST_OF_TURN = 64 << 20;
/** The most calls that are kept, including unanswered ones. */
const MOST_CALLS = 10_000;

/** A call, and where what it starts is put. */
interface KnownCall {
  readonly part: ToolPart;
  readonly level: number;
  /** The parts that it stands among. */
  readonly beside: Part[];
}

/** For so many turns an answered call can still take another result, or the work of its sub-agent. */
const TURNS_REMEMBERED = 16;

/** `first` is the number of the first turn, where the events do not begin with the log. */
export function createTurnBuilder(first = 0): TurnBuilder {
  let count = first;
  let open: Turn | undefined;
  let room = MOST_OF_TURN;
  const withinRoom = <E extends Event>(event: E): E => {
    const limited = limit(event, room);
    room -= sizeOf(limited);
    return limited;
  };
  const preamble: Part[] = [];
  // Results may come late, even after the next prompt, so calls are remembered beyond their turn.
  const calls = new Map<string, KnownCall>();
  /** The calls that each of the last turns made, oldest turn first. */
  const recent: string[][] = [[]];

  /** An answered call is let go after a while: the results of a long log would not fit in memory. */
  const forgetOld = (): void => {
    for (const id of calls.keys()) {
      if (calls.size <= MOST_CALLS) break;
      calls.delete(id);
    }
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
    push(whole) {
      if (startsTurn(whole)) {
        const closed = open && finish(open);
        forgetOld();
        room = MOST_OF_TURN;
        const event = withinRoom(whole);
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
      const event = withinRoom(whole);
      if (open && event.time !== undefined && lengthensTurn(event)) open.endedAt = event.time;
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

/** How much memory an event takes, in characters of its texts. */
function sizeOf(event: Event): number {
  if (event.kind === "compaction") return event.summary.length;
  if (event.kind === "tool-call") return sizeOfInput(event.input);
  if (event.kind === "note") return event.items.reduce((sum, item) => sum + sizeOfInput(item), 0);
  return "text" in event ? event.text.length : 0;
}

function sizeOfInput(input: unknown): number {
  if (typeof input === "string") return input.length;
  if (typeof input !== "object" || input === null) return 0;
  return Object.values(input).reduce(
    (sum: number, value) => sum + (typeof value === "string" ? value.length : 1),
    0,
  );
}

/** The same event where it fits. */
function limit<E extends Event>(event: E, room: number): E {
  const size = sizeOf(event);
  if (size <= room) return event;
  const cut = (event.cut ?? 0) + size - room;
  if (event.kind === "compaction") return { ...event, summary: event.summary.slice(0, room) };
  if (event.kind === "tool-call") return { ...event, input: {}, cut: (event.cut ?? 0) + size };
  if (event.kind === "note") return { ...event, items: [] };
  return "text" in event ? { ...event, text: event.text.slice(0, room), cut } : event;
}

function placeIn({ part, level, beside }: KnownCall): Part[] {
  if (level >= MOST_NESTED) return beside;
  part.children ??= [];
  return part.children;
}

/** A blank prompt asks for nothing, unless something is attached to it. */
export const asksSomething = ({ text, attachments }: Pick<PromptEvent, "text" | "attachments">): boolean =>
  text.trim() !== "" || (attachments?.length ?? 0) > 0;

/**
 * The one rule of what a turn is, for reading, indexing, counting and cutting. Everything else, a blank prompt
 * included, belongs to the turn before it. The prompts of sub-agents start no turns.
 */
export const startsTurn = (event: Event): event is PromptEvent =>
  event.kind === "prompt" && event.agent === undefined && asksSomething(event);

/** Whether the turn that an event stands in has lasted until then. */
export const lengthensTurn = (event: Event): boolean => event.kind !== "notice" || event.isAside !== true;

/** What a prompt of the user does: it starts a turn, belongs to the open one, or closes that and starts none. */
export type PromptEffect = "start" | "continue" | "close";

export const promptEffect = (prompt: PromptEvent): PromptEffect =>
  startsTurn(prompt) ? "start" : "continue";

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
  if (event.facts) call.facts = event.facts;
  if (event.exitCode !== undefined) call.exitCode = event.exitCode;
  if (event.durationMs !== undefined) call.durationMs = event.durationMs;
  if (event.images) call.images = event.images;
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
        ...(event.provider !== undefined && { provider: event.provider }),
        ...(event.approval !== undefined && { approval: event.approval }),
        ...(event.act !== undefined && { act: event.act }),
        ...cutOf(event),
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
    case "note":
      return { kind: "note", about: event.about, items: event.items, origin };
    // A sub-agent's own prompt is already the input of the call that started it.
    case "prompt":
    case "usage":
    case "tool-result":
      return undefined;
  }
}
