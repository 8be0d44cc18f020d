/** How long tools ran: from the record in which a call starts to the one that completes it. */
import type { Event } from "../../../model/session/session.ts";
import { asString } from "../../jsonl.ts";
import { roleOf } from "./event-types.ts";
import type { CopilotRecord } from "./records.ts";

export interface ToolTimes {
  note(record: CopilotRecord): void;
  /** The same event; a result with its duration, where the start was noted. */
  timed(event: Event): Event;
}

/** Calls that never complete are forgotten beyond this many. */
const MOST_WAITING = 10_000;

export function createToolTimes(): ToolTimes {
  const starts = new Map<string, number>();
  return {
    note({ type, data, time }) {
      if (time === undefined || roleOf(type) !== "call-start") return;
      if (starts.size >= MOST_WAITING) starts.clear();
      starts.set(asString(data.toolCallId) ?? "", Date.parse(time));
    },
    timed(event) {
      if (event.kind !== "tool-result") return event;
      const start = starts.get(event.callId);
      starts.delete(event.callId);
      // A call that was broken off is answered when the session is resumed, however much later.
      if (start === undefined || event.time === undefined || event.status === "interrupted") return event;
      const durationMs = Date.parse(event.time) - start;
      return durationMs >= 0 ? { ...event, durationMs } : event;
    },
  };
}
