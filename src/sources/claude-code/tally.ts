/** What a session's head says about its events, counted while they pass. */
import type { Event, Origin } from "../../model/session.ts";

export interface Tally {
  readonly events: number;
  readonly turns: number;
  readonly models: ReadonlySet<string>;
  readonly firstPrompt: string | undefined;
  add(event: Event): void;
  isCalled(call: string): boolean;
  /** Calls that were never answered, with their places. */
  unanswered(): { call: string; origin: Origin }[];
}

export function createTally(): Tally {
  let events = 0;
  let turns = 0;
  let firstPrompt: string | undefined;
  const models = new Set<string>();
  const calls = new Map<string, { origin: Origin; answered: boolean }>();
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
      else if (event.kind === "tool-call") calls.set(event.callId, { origin: event.origin, answered: false });
      else if (event.kind === "tool-result") {
        const call = calls.get(event.callId);
        if (call) call.answered = true;
      }
    },
    isCalled: (call) => calls.has(call),
    unanswered: () =>
      [...calls].flatMap(([call, { origin, answered }]) => (answered ? [] : [{ call, origin }])),
  };
}
