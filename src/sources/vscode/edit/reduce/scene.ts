/** Facts about the whole session for reduction: which turns are sent, and which are replaced by summaries. */
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { selectedModel } from "../../format/history.ts";
import { modelOf } from "../../response/turn-events.ts";
import { findCalls, metadataOf, type TurnCalls } from "./calls.ts";

export interface Scene {
  readonly turns: readonly JsonObject[];
  /** Of each turn that the model is told of the next such one; of the last one, none. */
  readonly next: ReadonlyMap<number, number | undefined>;
  readonly model: string | undefined;
  readonly calls: readonly TurnCalls[];
  /** By the last round that each covers; a turn without rounds counts as one round under its own id. */
  readonly summaries: ReadonlyMap<string, Summary>;
  /** The turn that ends with the last summary, which stands for all before it. */
  readonly ending: number | undefined;
  /** The turn that tells of the surroundings. */
  readonly environment: number | undefined;
  /** Whether the prompt only continues the turn before. */
  isGoingOn(turn: number): boolean;
  /** The turn with the results of the last calls, when the limit of calls was reached. */
  answeredIn(turn: number): number | undefined;
}

export interface Summary {
  readonly text: string;
  /** A turn may carry the summary of a round that ended an earlier turn. */
  readonly carrier: number;
}

/** Undone turns are gone by the time the next message is sent. */
const isUndone = (turn: JsonObject): boolean => Boolean(turn.shouldBeRemovedOnSend || turn.isHidden);

export function setScene(head: JsonObject, turns: readonly JsonObject[]): Scene {
  const live = [...turns.entries()].filter(([, turn]) => !isUndone(turn));
  const next = new Map(live.map(([index], at) => [index, live[at + 1]?.[0]]));
  const isLimited = (turn: JsonObject | undefined): boolean =>
    Boolean(metadataOf(turn ?? {}).maxToolCallsExceeded);
  const continued = new Set(live.flatMap(([index, turn]) => (isLimited(turn) ? [next.get(index)] : [])));
  const answeredIn = (turn: number): number | undefined =>
    isLimited(turns[turn]) ? next.get(turn) : undefined;
  const summaries = findSummaries(live);
  return {
    turns,
    next,
    model:
      selectedModel(head) ?? live.map(([, turn]) => modelOf(turn)).findLast((name) => name !== undefined),
    calls: findCalls(turns, answeredIn),
    summaries,
    ending: live.findLast(([, turn]) => roundIds(turn).some((id) => summaries.has(id)))?.[0],
    environment: live.find(([, turn]) => metadataOf(turn).renderedGlobalContext !== undefined)?.[0],
    isGoingOn: (turn) => turns[turn]?.confirmation !== undefined && continued.has(turn),
    answeredIn,
  };
}

export function roundIds(turn: JsonObject): string[] {
  const rounds = asArray(metadataOf(turn).toolCallRounds).filter(isObject);
  const ids = rounds.length > 0 ? rounds.map(({ id }) => id) : [turn.requestId];
  return ids.map((id) => asString(id) ?? "");
}

function findSummaries(turns: readonly (readonly [number, JsonObject])[]): Map<string, Summary> {
  const found = new Map<string, Summary>();
  const known = new Set<string>();
  for (const [carrier, turn] of turns) {
    const metadata = metadataOf(turn);
    for (const id of roundIds(turn)) known.add(id);
    for (const round of asArray(metadata.toolCallRounds))
      if (isObject(round) && typeof round.summary === "string")
        found.set(asString(round.id) ?? "", { text: round.summary, carrier });
    const { toolCallRoundId: id, text } = asObject(metadata.summary) ?? {};
    if (typeof id === "string" && typeof text === "string" && known.has(id)) found.set(id, { text, carrier });
  }
  return found;
}
