/** Reduces a session, in what the user sees and in what the model receives, with a ledger. */

import { toNote } from "../../../../model/reduce/cut-text.ts";
import { type Cuts, toCuts, toLedger } from "../../../../model/reduce/cuts.ts";
import { fitBudget } from "../../../../model/reduce/ladder.ts";
import { weigherFor } from "../../../../model/reduce/passage.ts";
import type { Ledger, Reduction } from "../../../../model/reduce/reduction.ts";
import { printed } from "../../../../model/text/printed.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { TURNS } from "../../format/record.ts";
import { metadataOf } from "./calls.ts";
import { changed } from "./parts.ts";
import { type SessionTable, tabulate } from "./table.ts";
import { reduceTurn } from "./turn.ts";

export interface ReduceOptions {
  /** The session as people name it, for the words that stand in place of what was cut. */
  readonly name: string;
  readonly reduction: Reduction;
  readonly count: (text: string) => number;
  /** Another id for what is no longer the same: the extension remembers turns by their ids. */
  readonly renew: (id: string) => string;
}

export interface ReducedSession {
  readonly state: JsonObject;
  /** Of each request that is left, where it was among all of them. */
  readonly places: readonly number[];
  readonly ledger: Ledger;
}

/** Takes the session as replaying its file gives it. What stays as it was is not copied. */
export function reduceSession(state: JsonObject, options: ReduceOptions): ReducedSession {
  const { reduction, count, name } = options;
  const requests = asArray(state[TURNS]).filter(isObject);
  const table = tabulate(state, requests, weigherFor(reduction, count));
  const turns = turnsIn(table);
  const cuts = toCuts(table.passages, turns, reduction, name);
  const { budget } = reduction;
  if (budget !== undefined) fitBudget(table.passages, cuts, { turns, budget, anchored: table.anchored });
  return applyCuts(state, table, cuts, options);
}

export const turnsIn = ({ turnOf }: SessionTable): number => (turnOf.at(-1) ?? -1) + 1;

/** The session without what these cuts take. */
export function applyCuts(
  state: JsonObject,
  table: SessionTable,
  cuts: Cuts,
  { reduction, name, renew }: Omit<ReduceOptions, "count">,
): ReducedSession {
  const requests = asArray(state[TURNS]).filter(isObject);
  const cutCalls = new Set<string>();
  const how = {
    table,
    cuts,
    dropsAllTools: reduction.tools === "drop",
    note: toNote(name),
    tell: (call: string): void => void cutCalls.add(call),
  };
  const renewed = new Map<string, string>();
  const places: number[] = [];
  const kept = requests.flatMap((request, index) => {
    if (cuts.turns.has(table.turnOf[index] ?? -1)) return [];
    places.push(index);
    const reduced = reduceTurn(withLateResults(requests, index, table, cuts), index, how);
    const following = followSummary(reduced, renewed);
    return [following === request ? request : followSummary(renewIds(following, renew, renewed), renewed)];
  });
  return {
    state: { ...state, [TURNS]: kept },
    places,
    ledger: toLedger(table.passages, turnsIn(table), cuts, cutCalls),
  };
}

/** Results in the next turn are removed with it. */
function withLateResults(
  turns: readonly JsonObject[],
  index: number,
  { turns: places, turnOf }: SessionTable,
  cuts: Cuts,
): JsonObject {
  const turn = turns[index] as JsonObject;
  const next = places[index]?.answeredIn;
  if (next === undefined || !cuts.turns.has(turnOf[next] ?? -1)) return turn;
  const own = new Set(places[index]?.calls.made.map(({ key }) => key));
  const late = Object.entries(asObject(metadataOf(turns[next] ?? {}).toolCallResults) ?? {}).filter(([id]) =>
    own.has(places[next]?.calls.results.get(id) ?? ""),
  );
  if (late.length === 0) return turn;
  const results = { ...asObject(metadataOf(turn).toolCallResults), ...Object.fromEntries(late) };
  return withMetadata(turn, { toolCallResults: results });
}

const withMetadata = (turn: JsonObject, values: JsonObject): JsonObject => ({
  ...turn,
  result: { ...asObject(turn.result), metadata: changed(metadataOf(turn), values) },
});

/** A turn without rounds is named by its own id in the summary that covers it. */
function followSummary(turn: JsonObject, renewed: ReadonlyMap<string, string>): JsonObject {
  const summary = asObject(metadataOf(turn).summary);
  const id = renewed.get(asString(summary?.toolCallRoundId) ?? "");
  return summary && id !== undefined
    ? withMetadata(turn, { summary: { ...summary, toolCallRoundId: id } })
    : turn;
}

function renewIds(turn: JsonObject, renew: (id: string) => string, renewed: Map<string, string>): JsonObject {
  const renewIn = (holder: JsonObject, ...keys: ("requestId" | "responseId")[]): JsonObject =>
    Object.fromEntries(
      keys.flatMap((key) => (typeof holder[key] === "string" ? [[key, renew(holder[key])]] : [])),
    );
  const ids = renewIn(turn, "requestId", "responseId");
  if (typeof turn.requestId === "string") renewed.set(turn.requestId, printed(ids.requestId));
  const metadata = metadataOf(turn);
  return typeof metadata.responseId === "string"
    ? withMetadata({ ...turn, ...ids }, renewIn(metadata, "responseId"))
    : { ...turn, ...ids };
}
