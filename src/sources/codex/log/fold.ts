/** Folds the records of a log into events, holding nothing but counters and the calls that wait for their results. */
import { mayMakeRefs } from "../../../model/session/refs.ts";
import type { Event, Origin, ToolResultEvent } from "../../../model/session/session.ts";
import { startsTurn } from "../../../model/session/turns.ts";
import { toUsage } from "../../../model/session/usage.ts";
import { asNumber, asObject, asString, type JsonObject, titleFrom } from "../../log/jsonl.ts";
import { limitResult, mayBeCut } from "../../log/limited-result.ts";
import { commandIn } from "../tool-actions.ts";
import { type DoneCall, editsOf, toDoneCall } from "./done-items.ts";
import { agentEvents, toEvents } from "./items.ts";
import { isEarly, type LogRecord, type SessionMeta, toMeta } from "./records.ts";

/** Plain JSON: it is kept between two readings of a log. */
export interface FoldState {
  meta?: SessionMeta;
  /** Something else stands before it. */
  hasLateStart: boolean;
  hasEarlyForm: boolean;
  lines: number;
  turns: number;
  events: number;
  models: string[];
  model?: string;
  firstPrompt?: string;
  name?: string;
  firstTime?: string;
  lastTime?: string;
  /** Newer releases count every request; then the sums for people are not needed. */
  countsRequests: boolean;
  total?: number;
  /** What was told to people of what the model thinks, and not to it yet. */
  thoughts: string[];
  waiting: [callId: string, call: WaitingCall][];
  done: [callId: string, facts: DoneFacts][];
}

interface WaitingCall {
  readonly name: string;
  readonly line: number;
  /** Its result is to be read to its end, however long. */
  readonly whole: boolean;
}

type DoneFacts = Pick<DoneCall, "status" | "exitCode" | "durationMs" | "edits">;

export const emptyState = (): FoldState => ({
  ...{ hasLateStart: false, hasEarlyForm: false, countsRequests: false },
  ...{ lines: 0, turns: 0, events: 0, models: [], thoughts: [], waiting: [], done: [] },
});

export interface FoldOptions {
  readonly textLimit: number;
  readonly withEdits: boolean;
  /** Called for a result to which no call belongs. */
  readonly onOrphan?: (line: number) => void;
}

export interface Place {
  readonly origin: Origin;
  /** Bytes of the line that were left out. */
  readonly cut: number;
  /** From the log that this one goes on from: what was spent there is counted there. */
  readonly isInherited: boolean;
}

export interface Fold {
  line(time: string | undefined): void;
  record(record: LogRecord, place: Place): Event[];
  unanswered(): readonly (readonly [callId: string, call: WaitingCall])[];
  state(): FoldState;
}

export function createFold({ textLimit, withEdits, onOrphan }: FoldOptions, before?: FoldState): Fold {
  const state: FoldState = before ? structuredClone(before) : emptyState();
  const models = new Set(state.models);
  const waiting = new Map(state.waiting);
  const done = new Map(state.done);

  /** Releases of 2025 note a thought for people, and then as an item. */
  let thoughts = state.thoughts;
  const isKnownThought = (event: Event): boolean => {
    const isKnown = event.kind === "thinking" && thoughts.join("\n\n").includes(event.text);
    thoughts = [];
    return isKnown;
  };
  const set = (key: "name" | "model", value: string | undefined): void => {
    if (value !== undefined) state[key] = value;
  };
  const around = () => ({ model: state.model, isAgent: state.meta?.startedBy !== undefined });

  const start = (record: LogRecord, place: Place): void => {
    // Later ones were copied along with what they begin.
    if (state.meta) return;
    state.meta = toMeta(record.payload);
    state.hasLateStart = place.origin.line > 1;
    state.hasEarlyForm = isEarly(record);
  };
  const usage = (base: Base, counted: JsonObject, model = state.model): Event => ({
    ...base,
    kind: "usage",
    ...toUsage({
      model,
      input: asNumber(counted.input_tokens),
      output: asNumber(counted.output_tokens),
      cached: asNumber(counted.cached_input_tokens),
      cacheWritten: asNumber(counted.cache_write_input_tokens),
      reasoning: asNumber(counted.reasoning_output_tokens),
    }),
  });
  const counted = (base: Base, payload: JsonObject): Event[] => {
    const info = asObject(payload.info);
    const total = asNumber(asObject(info?.total_token_usage)?.total_tokens);
    const last = asObject(info?.last_token_usage);
    // It is told again when nothing was spent in between.
    if (!last || total === undefined || total === state.total || state.countsRequests) return [];
    state.total = total;
    return [usage(base, last)];
  };
  /** A call that the model itself made gets its result later; code that it wrote makes calls of which this is all. */
  const ended = (base: Base, call: DoneCall): Event[] => {
    const { id, name, input, output, server, edits, ...facts } = call;
    const known = { ...facts, ...(withEdits && edits && { edits }) };
    if (waiting.has(id)) {
      done.set(id, known);
      return [];
    }
    const result: ToolResultEvent = { ...base, kind: "tool-result", callId: id, text: output, ...known };
    if (!isOfCode(id)) return [result];
    const provider = server === undefined ? {} : { provider: { kind: "mcp", name: server } };
    return [{ ...base, kind: "tool-call", callId: id, name, input, ...provider }, result];
  };
  const message = (base: Base, payload: JsonObject): Event[] => {
    switch (payload.type) {
      case "token_count":
        return counted(base, payload);
      case "item_completed": {
        const call = toDoneCall(payload);
        return call ? ended(base, call) : [];
      }
      case "patch_apply_end": {
        const id = asString(payload.call_id);
        const status = payload.success === false ? "failed" : "ok";
        if (id !== undefined && waiting.has(id))
          done.set(id, { status, ...(withEdits && { edits: editsOf(payload.changes) }) });
        return [];
      }
      case "agent_reasoning": {
        const text = asString(payload.text) ?? "";
        if (text.trim() === "") return [];
        thoughts = [...thoughts, text];
        return [{ ...base, kind: "thinking", text }];
      }
      case "thread_name_updated":
        set("name", asString(payload.thread_name));
        return [];
      case "task_complete":
      case "turn_complete": {
        const text = asString(asObject(payload.error)?.message);
        return text === undefined ? [] : [{ ...base, kind: "notice", level: "error", text }];
      }
      case "turn_aborted": {
        const why = asString(payload.reason) ?? "interrupted";
        return [{ ...base, kind: "notice", level: "warning", text: `The turn was stopped: ${why}` }];
      }
      case "thread_rolled_back": {
        const turns = asNumber(payload.num_turns) ?? 0;
        const text = `The last ${turns === 1 ? "turn was" : `${turns} turns were`} taken back`;
        return [{ ...base, kind: "notice", level: "warning", text }];
      }
      default:
        return [];
    }
  };
  const eventsOf = (record: LogRecord, place: Place): Event[] => {
    const { origin, isInherited } = place;
    const { type, payload, time } = record;
    const base: Base = { origin, ...(time !== undefined && { time }) };
    switch (type) {
      case "session_meta":
        if (!isInherited) start(record, place);
        return [];
      case "turn_context":
        set("model", asString(payload.model));
        return [];
      case "response_item":
        return toEvents(record, origin, around()).filter((event) => !isKnownThought(event));
      case "inter_agent_communication":
        return agentEvents(base, asString(payload.content) ?? "", asString(payload.author) ?? "", around());
      case "compacted":
        return [{ ...base, kind: "compaction", summary: summaryOf(payload) }];
      case "token_usage_record": {
        state.countsRequests = true;
        const spent = asObject(payload.usage);
        return spent ? [usage(base, spent)] : [];
      }
      case "event_msg":
        return message(base, payload);
      default:
        return [];
    }
  };
  /** With what is known of it beside its words, and no longer than its reader wants. */
  const finished = (event: ToolResultEvent, cut: number): ToolResultEvent => {
    const facts = done.get(event.callId);
    done.delete(event.callId);
    const limit = waiting.get(event.callId)?.whole ? Number.POSITIVE_INFINITY : textLimit;
    const { text, cut: left = 0, facts: ofWhole } = limitResult(event.text, limit);
    const missing = left + (event.images === undefined || mayBeCut(event.text) ? cut : 0);
    return {
      ...event,
      ...facts,
      // How a call ended is told to the model alone where it was stopped.
      ...(event.status !== "ok" && { status: event.status }),
      text,
      ...(missing > 0 && { cut: missing }),
      ...(ofWhole && { facts: ofWhole }),
    };
  };
  const note = (event: Event): void => {
    state.events++;
    if (startsTurn(event)) {
      state.turns++;
      state.firstPrompt ??= titleFrom(requestIn(event.text));
    } else if ((event.kind === "text" || event.kind === "usage") && event.model !== undefined)
      models.add(event.model);
    else if (event.kind === "tool-call") {
      const { callId, name, input, origin } = event;
      const whole = mayMakeRefs(commandIn(name, input) ?? "");
      waiting.set(callId, { name, line: origin.line, whole });
    }
  };

  return {
    line(time) {
      state.lines++;
      if (time === undefined) return;
      state.firstTime ??= time;
      if (state.lastTime === undefined || time > state.lastTime) state.lastTime = time;
    },
    record(record, place) {
      const isTold = (state.meta?.ownFrom ?? 0) > (record.ordinal ?? Number.POSITIVE_INFINITY);
      const events: Event[] = [];
      for (const event of eventsOf(record, place)) {
        if (isTold || (place.isInherited && event.kind === "usage")) continue;
        if (event.kind === "tool-result") {
          events.push(finished(event, place.cut));
          const isOrphan = !waiting.delete(event.callId);
          if (isOrphan && record.type === "response_item") onOrphan?.(event.origin.line);
          note(event);
        } else {
          note(event);
          events.push(place.cut > 0 && "text" in event ? { ...event, cut: place.cut } : event);
        }
      }
      return events;
    },
    unanswered: () => [...waiting],
    state: () => ({
      ...state,
      models: [...models],
      thoughts,
      waiting: [...waiting],
      done: [...done].map(([id, { edits: _, ...facts }]) => [id, facts]),
    }),
  };
}

type Base = Pick<Event, "origin" | "time">;

/** Calls of the code that a model wrote have ids that the program made up. */
const isOfCode = (id: string): boolean => id.startsWith("exec-");

/** What the program tells a model before a summary. */
const SUMMARY_OPENING = "Another language model started to solve this problem";

function summaryOf(payload: JsonObject): string {
  const message = asString(payload.message) ?? "";
  if (message.trim() === "") return "(the summary is encrypted)";
  const feed = message.startsWith(SUMMARY_OPENING) ? message.indexOf("\n") : -1;
  return message.slice(feed + 1);
}

/** Editors put the open files before what a person asks. */
const requestIn = (text: string): string =>
  text
    .split(/^## My request for Codex:\s*$/m)
    .at(-1)
    ?.trim() || text;
