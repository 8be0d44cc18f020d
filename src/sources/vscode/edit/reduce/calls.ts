/** Maps the parts of an answer and the kept results to their calls, because a removed call must be removed in both. */
import { asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { partsOf } from "../../response/answer.ts";
import { pairCalls } from "../../response/pair-calls.ts";
import { isToolPart, type ModelCall, modelCallId, modelCalls, outcomeOf } from "../../response/tools.ts";

/** The calls of a turn under keys of their own, as ids are only sure to differ within a turn. */
export interface TurnCalls {
  readonly made: readonly (ModelCall & { readonly key: string; readonly failed: boolean })[];
  /** The call that a part of the answer shows, or in which a sub-agent made the one that it shows. */
  readonly parts: ReadonlyMap<unknown, string>;
  /** The call of each result, by the id under which it is kept here. */
  readonly results: ReadonlyMap<string, string>;
  /** Calls of which the model's data knows nothing. */
  readonly onlyShown: readonly { readonly key: string; readonly name: string }[];
  /** Calls that ran sub-agents, even if the call itself was not recorded. */
  readonly within: readonly string[];
}

/** Calls at the limit of calls, which the next turn answers: their keys by their ids. */
type Waiting = ReadonlyMap<string, string>;

export function findCalls(
  turns: readonly JsonObject[],
  answeredIn: (turn: number) => number | undefined,
): TurnCalls[] {
  const waiting = new Map<number, Waiting>();
  return turns.map((turn, index) => {
    const calls = callsOfTurn(turn, index, waiting.get(index) ?? new Map());
    const open = calls.made.filter(({ result }) => result === undefined);
    const next = answeredIn(index);
    if (next !== undefined) waiting.set(next, new Map(open.map(({ id, key }) => [id, key])));
    return calls;
  });
}

function callsOfTurn(turn: JsonObject, index: number, waiting: Waiting): TurnCalls {
  const metadata = metadataOf(turn);
  const keyOf = (id: string): string => `${index}/${id}`;
  const calls = modelCalls(metadata);
  const parts = new Map<unknown, string>();
  const shown = partsOf(turn).filter(isObject).filter(isToolPart);
  for (const part of shown) {
    const id = modelCallId(asString(part.toolCallId) ?? "");
    const [, late] = [...waiting].find(([waits]) => modelCallId(waits) === id) ?? [];
    if (late !== undefined) parts.set(part, late);
  }
  const { of } = pairCalls(
    shown.filter((part) => !parts.has(part)),
    calls,
  );
  for (const [part, { id }] of of) parts.set(part, keyOf(id));
  const onlyShown: { key: string; name: string }[] = [];
  const within = new Set<string>();
  for (const [number, part] of shown.entries()) {
    if (parts.has(part)) continue;
    const outer = asString(part.subAgentInvocationId);
    const key =
      outer === undefined
        ? keyOf(`shown ${number}`)
        : (keyOfCall(outer, parts, calls, keyOf) ?? keyOf(outer));
    if (outer === undefined) onlyShown.push({ key, name: asString(part.toolId) ?? "" });
    else within.add(key);
    parts.set(part, key);
  }
  const partOf = new Map([...of].map(([part, call]) => [call, part]));
  const results = new Map<string, string>();
  for (const id of Object.keys(asObject(metadata.toolCallResults) ?? {})) {
    const key = calls.some((call) => call.id === id) ? keyOf(id) : waiting.get(id);
    if (key !== undefined) results.set(id, key);
  }
  return {
    made: calls.map((call) => ({
      ...call,
      key: keyOf(call.id),
      failed: outcomeOf(partOf.get(call) ?? {}, call).status === "failed",
    })),
    parts,
    results,
    onlyShown,
    within: [...within],
  };
}

/** By the model's id of the call, or by that of the part which shows it. */
function keyOfCall(
  id: string,
  parts: ReadonlyMap<unknown, string>,
  calls: readonly ModelCall[],
  keyOf: (id: string) => string,
): string | undefined {
  const call = calls.find((each) => each.id === id || modelCallId(each.id) === modelCallId(id));
  if (call) return keyOf(call.id);
  return [...parts].find(([part]) => isObject(part) && part.toolCallId === id)?.[1];
}

export const metadataOf = (turn: JsonObject): JsonObject => asObject(asObject(turn.result)?.metadata) ?? {};
