/** Gives every record of a new session a time: its own, where that is known, and never one before the last record's. */
import { toMs } from "../values/time.ts";

/** In milliseconds. */
export type Pace = (time?: string) => number;

/** The copy begins just behind its original, to which their common turns belong: to the session that began first. */
export function createPace(start: string | undefined, now: Date): Pace {
  const begun = toMs(start);
  let last = begun === undefined ? now.getTime() : begun + 1;
  return (time) => {
    last = Math.max(last, toMs(time) ?? last);
    return last;
  };
}
