/** Tells which turn, as `show` counts them, each message of a context belongs to: by what was read of its session. */
import type { ContextMessage } from "../model/session/context.ts";
import type { Event } from "../model/session/session.ts";
import { startsTurn } from "../model/session/turns.ts";

export interface TurnPlaces {
  /** Takes the events of the session in their order. */
  event(event: Event): void;
  /** One number for each message; null for what belongs to no turn. */
  of(messages: readonly ContextMessage[]): (number | null)[];
}

/**
 * A result belongs to the turn of its call, wherever it was recorded; what has a place in the log, to the turn of the
 * event there or of the last one before it; what the program makes up on the way, to the turn of the message before.
 */
export function createTurnPlaces(): TurnPlaces {
  let turn = -1;
  const calls = new Map<string, number>();
  const places: { start: number; turn: number }[] = [];
  let isSorted = true;
  return {
    event(event) {
      if (startsTurn(event)) turn++;
      if (event.agent !== undefined || event.origin.file !== undefined) return;
      if (event.kind === "tool-call" && !calls.has(event.callId)) calls.set(event.callId, turn);
      const { start } = event.origin;
      const last = places.at(-1);
      if (last?.turn === turn && last.start === start) return; // one record may be several events
      isSorted &&= last === undefined || last.start <= start;
      places.push({ start, turn });
    },
    of(messages) {
      if (!isSorted) places.sort((a, b) => a.start - b.start);
      isSorted = true;
      let before: number | null = null;
      return messages.map((message) => {
        const known = message.turn ?? callTurn(message, calls) ?? placeOf(message, places) ?? before ?? -1;
        before = known < 0 ? null : known;
        return before;
      });
    },
  };
}

const callTurn = (
  { role, toolCallId }: ContextMessage,
  calls: ReadonlyMap<string, number>,
): number | undefined => (role === "tool" ? calls.get(toolCallId ?? "") : undefined);

function placeOf(
  { origin }: ContextMessage,
  places: readonly { readonly start: number; readonly turn: number }[],
): number | undefined {
  if (!origin || origin.file !== undefined) return undefined;
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.start ?? 0) <= origin.start) low = middle + 1;
    else high = middle;
  }
  return places[low - 1]?.turn ?? -1;
}
