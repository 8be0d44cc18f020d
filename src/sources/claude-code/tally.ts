/** Counts the events of a session for its metadata, while they stream by. */
import type { Event, Origin } from "../../model/session/session.ts";
import { startsTurn } from "../../model/session/turns.ts";
import { parseTime } from "../../model/values/time.ts";
import { printsRefs } from "../tools/actions.ts";
import { createNames } from "./tree/names.ts";

export interface Tally {
  readonly events: number;
  readonly turns: number;
  readonly models: ReadonlySet<string>;
  readonly firstPrompt: string | undefined;
  add(event: Event): void;
  isCalled(call: string): boolean;
  /** When a call was made that waits for its result, in milliseconds. */
  calledAt(call: string): number | undefined;
  /** Whether what this call gives back is to be read to its end. */
  wantsWhole(call: string): boolean;
  /** Calls that were never answered, with their places. */
  unanswered(): { call: string; origin: Origin }[];
  /** To begin with the next time. */
  state(): TallyState;
}

/** Plain JSON. Of the calls only those that wait: nothing else can come to them. */
export interface TallyState {
  readonly events: number;
  readonly turns: number;
  readonly firstPrompt?: string;
  readonly models: readonly string[];
  readonly waiting: readonly { readonly call: string; readonly origin: Origin; readonly whole: boolean }[];
}

/** A call that waits for its result. */
interface Waiting {
  readonly origin: Origin;
  readonly time: string | undefined;
}

export function createTally(before?: TallyState): Tally {
  let events = before?.events ?? 0;
  let turns = before?.turns ?? 0;
  let firstPrompt = before?.firstPrompt;
  const models = new Set<string>(before?.models);
  const calls = createNames();
  const waiting = new Map<string, Waiting>();
  /** Those whose results are wanted to their end, answered or not. */
  const wanted = new Set<string>();
  for (const { call, origin, whole } of before?.waiting ?? []) {
    calls.of(call);
    waiting.set(call, { origin, time: undefined });
    if (whole) wanted.add(call);
  }
  return {
    get events() {
      return events;
    },
    get turns() {
      return turns;
    },
    get firstPrompt() {
      return firstPrompt;
    },
    models,
    add(event) {
      events++;
      if (startsTurn(event)) {
        turns++;
        firstPrompt ??= event.text;
      } else if (event.kind === "text" && event.model !== undefined) models.add(event.model);
      else if (event.kind === "usage" && event.model !== undefined) models.add(event.model);
      else if (event.kind === "tool-result") waiting.delete(event.callId);
      else if (event.kind === "tool-call") {
        calls.of(event.callId);
        const time = event.time ?? waiting.get(event.callId)?.time;
        waiting.set(event.callId, { origin: event.origin, time });
        if (printsRefs(event.input)) wanted.add(event.callId);
      }
    },
    isCalled: (call) => waiting.has(call) || calls.has(call),
    calledAt(call) {
      const time = waiting.get(call)?.time;
      return time === undefined ? undefined : parseTime(time);
    },
    wantsWhole: (call) => wanted.has(call),
    unanswered: () => [...waiting].map(([call, { origin }]) => ({ call, origin })),
    state: () => ({
      events,
      turns,
      models: [...models],
      waiting: [...waiting].map(([call, { origin }]) => ({ call, origin, whole: wanted.has(call) })),
      ...(firstPrompt !== undefined && { firstPrompt }),
    }),
  };
}
