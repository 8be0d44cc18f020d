/** What a session's head says about its events, counted while they pass. */
import type { Event, Origin } from "../../model/session.ts";
import { printsRefs } from "../acts.ts";
import { createNames } from "./names.ts";

export interface Tally {
  readonly events: number;
  readonly turns: number;
  readonly models: ReadonlySet<string>;
  readonly firstPrompt: string | undefined;
  add(event: Event): void;
  isCalled(call: string): boolean;
  /** Whether what this call gives back is to be read to its end. */
  wantsWhole(call: string): boolean;
  /** Calls that were never answered, with their places. */
  unanswered(): { call: string; origin: Origin }[];
}

export function createTally(): Tally {
  let events = 0;
  let turns = 0;
  let firstPrompt: string | undefined;
  const models = new Set<string>();
  const calls = createNames();
  /** The places of those that wait for their results. */
  const waiting = new Map<string, Origin>();
  const wanted = new Set<string>();
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
      if (event.kind === "prompt" && event.agent === undefined) {
        turns++;
        firstPrompt ??= event.text;
      } else if (event.kind === "text" && event.model !== undefined) models.add(event.model);
      else if (event.kind === "usage" && event.model !== undefined) models.add(event.model);
      else if (event.kind === "tool-result") waiting.delete(event.callId);
      else if (event.kind === "tool-call") {
        calls.of(event.callId);
        waiting.set(event.callId, event.origin);
        if (printsRefs(event.input)) wanted.add(event.callId);
      }
    },
    isCalled: (call) => calls.has(call),
    wantsWhole: (call) => wanted.has(call),
    unanswered: () => [...waiting].map(([call, origin]) => ({ call, origin })),
  };
}
