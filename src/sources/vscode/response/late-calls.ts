/**
 * Handles calls at the call limit: one turn makes them, and the next turn, in which the user continues, has their
 * results.
 */
import type { Event } from "../../../model/session/session.ts";
import { memberOf } from "../../../model/values/member.ts";
import { asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { Turn } from "../format/parsed-session.ts";
import { imagesOfResult } from "./images.ts";
import type { Pairing } from "./pair-calls.ts";
import { shorten } from "./tool-events.ts";
import { isToolPart, type ModelCall, modelCallId, outcomeOf, resultOf } from "./tools.ts";

/** Calls that wait for their answer, by the id that the model knows, with the one under which they were told. */
export type LateCalls = Map<string, { readonly callId: string; readonly call: ModelCall }>;

export function rememberLate(late: LateCalls, { of, hidden }: Pairing, metadata: JsonObject): void {
  if (!metadata.maxToolCallsExceeded) return;
  const remember = (call: ModelCall, callId: string): void => {
    if (call.result === undefined) late.set(modelCallId(call.id), { callId, call });
  };
  for (const [part, call] of of) remember(call, asString(part.toolCallId) ?? call.id);
  for (const call of hidden) remember(call, modelCallId(call.id));
}

export interface Settled {
  /** Without a time: they belong to the turn before, which had ended. */
  readonly events: readonly Event[];
  /** The parts of this turn's answer that showed the calls. */
  readonly parts: ReadonlySet<unknown>;
}

/** What this turn tells of the calls that wait; those that it answers wait no longer. */
export function settleLate(
  late: LateCalls,
  turn: Turn,
  shown: readonly unknown[],
  metadata: JsonObject,
  textLimit: number,
): Settled {
  const events: Event[] = [];
  const parts = new Set<unknown>();
  const results = asObject(metadata.toolCallResults) ?? {};
  for (const [id, { callId, call }] of late) {
    const index = shown.findIndex(
      (part) => isObject(part) && isToolPart(part) && modelCallId(asString(part.toolCallId) ?? "") === id,
    );
    const part = shown[index];
    const result = resultOf(results, call.id);
    if (part === undefined && result === undefined) continue;
    late.delete(id);
    if (part !== undefined) parts.add(part);
    const at =
      result === undefined ? ["response", index] : ["result", "metadata", "toolCallResults", call.id];
    const outcome = outcomeOf(asObject(part) ?? {}, { ...call, result });
    const images = imagesOfResult(asObject(memberOf(results, call.id)), turn.originOf, at);
    events.push({
      kind: "tool-result",
      callId,
      origin: turn.originOf(at),
      ...shorten(outcome, textLimit),
      ...(images.length > 0 && { images }),
    });
  }
  return { events, parts };
}
