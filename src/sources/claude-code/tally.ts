/** Counts the events of a session for its metadata, while they stream by. */
import type { Event, Origin } from "../../model/session/session.ts";
import { startsTurn } from "../../model/session/turns.ts";
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

export function createTally(before?: TallyState): Tally {
  let events = before?.events ?? 0;
  let turns = before?.turns ?? 0;
  let firstPrompt = before?.firstPrompt;
  const models = new Set<string>(before?.models);
  const calls = createNames();
  /** The places of those that wait for their results. */
  const waiting = new Map<string, Origin>();
  const times = new Map<string, number>();
  const wanted = new Set<string>();
  for (const { call, origin, whole } of before?.waiting ?? []) {
    calls.of(call);
    waiting.set(call, origin);
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
      else if (event.kind === "tool-result") {
        waiting.delete(event.callId);
        times.delete(event.callId);
      } else if (event.kind === "tool-call") {
        calls.of(event.callId);
        waiting.set(event.callId, event.origin);
        if (event.time !== undefined) times.set(event.callId, Date.parse(event.time));
        if (printsRefs(event.input)) wanted.add(event.callId);
      }
    },
    isCalled: (call) => calls.has(call),
    calledAt: (call) => times.get(call),
    wantsWhole: (call) => wanted.has(call),
    unanswered: () => [...waiting].map(([call, origin]) => ({ call, origin })),
    state: () => ({
      events,
      turns,
      models: [...models],
      waiting: [...waiting].map(([call, origin]) => ({ call, origin, whole: wanted.has(call) })),
      ...(firstPrompt !== undefined && { firstPrompt }),
    }),
  };
}
