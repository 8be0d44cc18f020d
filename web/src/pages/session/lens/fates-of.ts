/** What the conversation dims: the fates of passages, by the calls and turns that are on the page. */
import type { Fate, Fates } from "../fates.ts";
import type { LensAnswer, Passage } from "./types.ts";

/** How many passages each call has: its arguments and its result. */
export function countByCall(passages: readonly Passage[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { callId } of passages) if (callId !== null) counts.set(callId, (counts.get(callId) ?? 0) + 1);
  return counts;
}

/** `changed` has only what the budget changes; `counts` and `thoughts` are of the whole session. */
export function fatesOf(
  budget: number,
  changed: Pick<LensAnswer, "passages" | "turns">,
  counts: ReadonlyMap<string, number>,
  thoughts: number,
): Fates {
  const byCall = new Map<string, Fate>();
  const droppedParts = new Map<string, number>();
  const byTurn = new Map<number, Fate>();
  let lostThoughts = 0;
  for (const { callId, kind, turn, fate } of changed.passages) {
    if (fate === "kept") continue;
    if (callId !== null) {
      const dropped = (droppedParts.get(callId) ?? 0) + (fate === "dropped" ? 1 : 0);
      droppedParts.set(callId, dropped);
      // A call whose result goes is shortened; it is gone when nothing of it stays.
      byCall.set(callId, dropped >= (counts.get(callId) ?? 1) ? "dropped" : "cut");
    } else if (kind === "thinking") lostThoughts++;
    else if (turn !== null && (kind === "prompts" || kind === "answers")) byTurn.set(turn, "cut");
  }
  for (const { index, fate } of changed.turns) if (fate === "dropped") byTurn.set(index, fate);
  const thinking = thoughts > 0 && lostThoughts >= thoughts ? "dropped" : null;
  return { budget, byCall, byTurn, thinking };
}
