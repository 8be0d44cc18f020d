/** Gives every record of a new session a time: its own, where that is known, and never one before the last record's. */
import { toMs } from "../values/time.ts";

/** In milliseconds. */
export type Pace = (time?: string) => number;

export function createPace(start: string | undefined, now: Date): Pace {
  let last = toMs(start) ?? now.getTime();
  return (time) => {
    last = Math.max(last, toMs(time) ?? last);
    return last;
  };
}
