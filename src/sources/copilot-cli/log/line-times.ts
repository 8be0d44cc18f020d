/** The times of a log by the bytes of its lines: to make a text of each would take as long as to find the line. */
import { TIME_LENGTH, timeIn, timeStart } from "./envelope.ts";

/** Counts lines by their bytes, and knows the first and the latest of their times. */
export interface LineTimes {
  /** A line with a usual end. */
  note(bytes: Buffer, tail: number): void;
  /** What was noted since it was asked last. */
  take(): { readonly lines: number; readonly first: string; readonly latest: string } | undefined;
}

export function createLineTimes(): LineTimes {
  const latest = Buffer.alloc(TIME_LENGTH);
  let lines = 0;
  let first = "";
  return {
    note(bytes, tail) {
      const start = timeStart(tail);
      if (lines++ === 0) {
        first = timeIn(bytes, tail);
        bytes.copy(latest, 0, start, start + TIME_LENGTH);
        return;
      }
      let at = 0;
      while (at < TIME_LENGTH && bytes[start + at] === latest[at]) at++;
      if (at === TIME_LENGTH || (bytes[start + at] as number) < (latest[at] as number)) return;
      for (; at < TIME_LENGTH; at++) latest[at] = bytes[start + at] as number;
    },
    take() {
      if (lines === 0) return undefined;
      const noted = { lines, first, latest: latest.toString("latin1") };
      lines = 0;
      return noted;
    },
  };
}
