/** The byte range of a turn in its log, with a digest that proves that those bytes are still the turn. */
import type { Event } from "./session.ts";

export interface TurnRange {
  /** Set when the turn is not in the artifact's own file. */
  readonly file?: string;
  /** From the prompt's first byte to the next turn's prompt, or to the end of the log. */
  readonly start: number;
  readonly end: number;
  /** Number of the line that the prompt stands in, counted from 1. */
  readonly line: number;
  readonly digest: number;
}

export interface TurnDigest {
  add(event: Event): void;
  /** The same for an event of the main agent of which nothing else is known, and that is no prompt. */
  note(kind: Exclude<Event["kind"], "prompt" | "usage">, start: number, end: number): void;
  value(): number;
}

/** Numbers that keep their places: they are stored. */
const KINDS: Readonly<Record<Event["kind"], number>> = {
  prompt: 1,
  text: 2,
  thinking: 3,
  "tool-call": 4,
  "tool-result": 5,
  edit: 6,
  compaction: 7,
  clear: 8,
  notice: 9,
  usage: 10,
  note: 11,
};
const PRIME = 0x01000193;
const COUNTED = 1 << 20;

/**
 * Tells one list of events from another by their kinds, their places in the log and whose work they are: the same events
 * from the same bytes make the same turn. Usage is left out, as it is no part of a turn and depends on what came before.
 */
export function createTurnDigest(before = 0): TurnDigest {
  let hash = before >>> 0;
  let count = Math.floor(before / 2 ** 32);
  const mix = (value: number): void => {
    hash = Math.imul(hash ^ value, PRIME);
  };
  const note = (kind: Event["kind"], start: number, end: number): void => {
    count = (count + 1) % COUNTED;
    mix(KINDS[kind]);
    mix(start);
    mix(end);
  };
  return {
    note,
    add(event) {
      if (event.kind === "usage") return;
      note(event.kind, event.origin.start, event.origin.end);
      if (event.kind === "prompt") mix(event.attachments?.length ?? 0);
      if (event.agent !== undefined)
        for (let at = 0; at < event.agent.length; at++) mix(event.agent.charCodeAt(at));
    },
    value: () => count * 2 ** 32 + (hash >>> 0),
  };
}
