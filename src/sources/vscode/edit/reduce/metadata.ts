/** Reduces what the Copilot extension keeps of a turn for the model; calls and results are removed in pairs. */

import { shortenInput } from "../../../../model/reduce/cut-text.ts";
import { type Cuts, isDropped } from "../../../../model/reduce/cuts.ts";
import { memberOf } from "../../../../model/values/member.ts";
import { asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { toTextAndRest } from "../../format/text.ts";
import { changed, changedList, type Shorten } from "./parts.ts";
import type { SessionTable, TurnPlaces } from "./table.ts";

export interface MetadataCuts {
  readonly table: SessionTable;
  readonly places: TurnPlaces;
  readonly cuts: Cuts;
  readonly dropsAllTools: boolean;
  /** How a passage, by its number, or a call is shortened, where it is. */
  shortenPassage(number: number | undefined): Shorten | undefined;
  shortenCall(key: string): Shorten | undefined;
}

/** The same object when nothing in it changes. */
export function reduceMetadata(metadata: JsonObject, how: MetadataCuts): JsonObject {
  const { renderedUserMessage: rendered, toolCallRounds: rounds, toolCallResults: results } = metadata;
  const prompt = how.shortenPassage(how.places.prompt);
  const summary = asObject(metadata.summary);
  return changed(metadata, {
    ...(prompt && Array.isArray(rendered) && { renderedUserMessage: shortenRendered(rendered, prompt) }),
    ...(Array.isArray(rounds) && { toolCallRounds: reduceRounds(rounds, how) }),
    ...(isObject(results) && { toolCallResults: reduceResults(results, how) }),
    ...(summary && { summary: shortenSummary(summary, "text", summary.toolCallRoundId, how) }),
  });
}

const shortenRendered = (parts: readonly unknown[], shorten: Shorten): readonly unknown[] =>
  changedList(parts, (part) =>
    isObject(part) && typeof part.text === "string" ? changed(part, { text: shorten(part.text) }) : part,
  );

function reduceRounds(rounds: readonly unknown[], how: MetadataCuts): readonly unknown[] {
  const { places, table, cuts } = how;
  const isEmptied = (round: unknown, at: number): boolean => {
    const answer = places.rounds.get(at)?.answer;
    const passage = table.passages[answer ?? -1];
    if (!isObject(round) || answer === undefined || !passage || !isDropped(passage, answer, cuts))
      return false;
    return round.hookContext === undefined && !table.summaries.has(asString(round.id) ?? "");
  };
  const reduced = rounds.map((round, at) => (isObject(round) ? reduceRound(round, at, how) : round));
  const kept = reduced.filter((_, at) => !isEmptied(rounds[at], at));
  // Without any round the model would be told the answer as it is shown, which it was not before.
  if (kept.length === 0) return reduced.slice(-1);
  return kept.length === rounds.length && kept.every((round, at) => round === rounds[at]) ? rounds : kept;
}

function reduceRound(round: JsonObject, at: number, how: MetadataCuts): JsonObject {
  const { answer, said } = how.places.rounds.get(at) ?? {};
  // It points to what the vendor's server remembers of the whole conversation.
  const { statefulMarker, thinking, ...rest } = round;
  const isThoughtless = thinking !== undefined && answer !== undefined && how.cuts.thoughts.has(answer);
  const own =
    statefulMarker === undefined && !isThoughtless
      ? round
      : { ...rest, ...(thinking !== undefined && !isThoughtless && { thinking }) };
  const shortenAnswer = how.shortenPassage(answer);
  const shortenHook = how.shortenPassage(said);
  return shortenSummary(
    changed(own, {
      ...(Array.isArray(own.toolCalls) && { toolCalls: reduceCalls(own.toolCalls, at, how) }),
      ...(shortenAnswer && typeof own.response === "string" && { response: shortenAnswer(own.response) }),
      ...(shortenHook &&
        typeof own.hookContext === "string" && { hookContext: shortenHook(own.hookContext) }),
    }),
    "summary",
    own.id,
    how,
  );
}

function reduceCalls(calls: readonly unknown[], round: number, how: MetadataCuts): readonly unknown[] {
  const keys = new Map(
    how.places.calls.made.flatMap(({ at, key }) => (at[3] === round ? [[at[5], key] as const] : [])),
  );
  const keyAt = (at: number): string => keys.get(at) ?? "";
  const kept = calls.flatMap((call, at) => {
    if (how.cuts.calls.has(keyAt(at)) || (how.dropsAllTools && isObject(call))) return [];
    const shorten = how.shortenCall(keyAt(at));
    return [
      shorten && isObject(call) ? changed(call, { arguments: shortenInput(call.arguments, shorten) }) : call,
    ];
  });
  return kept.length === calls.length && kept.every((call, at) => call === calls[at]) ? calls : kept;
}

function reduceResults(results: JsonObject, how: MetadataCuts): JsonObject {
  const keys = new Map(how.places.calls.made.map((call) => [call.id, call.key]));
  let isSame = true;
  const kept = Object.entries(results).flatMap(([id, result]) => {
    const key = keys.get(id) ?? how.places.calls.results.get(id);
    if (how.dropsAllTools || (key !== undefined && how.cuts.calls.has(key))) {
      isSame = false;
      return [];
    }
    const shorten = key === undefined ? undefined : how.shortenCall(key);
    const short = shorten && isObject(result) ? shortenResult(result, shorten) : result;
    isSame &&= short === result;
    return [[id, short] as const];
  });
  return isSame ? results : Object.fromEntries(kept);
}

/** All its texts become one; what is no text stays beside it. */
function shortenResult(result: JsonObject, shorten: Shorten): JsonObject {
  if (!Array.isArray(result.content)) return result;
  const { text, rest } = toTextAndRest(result.content);
  const short = shorten(text);
  return short === text ? result : { ...result, content: [{ $mid: TEXT, value: short }, ...rest] };
}

/** The tag by which VS Code makes it a part of a result again. */
const TEXT = 21;

function shortenSummary(holder: JsonObject, member: string, round: unknown, how: MetadataCuts): JsonObject {
  const shorten = how.shortenPassage(how.table.summaries.get(asString(round) ?? ""));
  const text = asString(memberOf(holder, member));
  return shorten && text !== undefined ? changed(holder, { [member]: shorten(text) }) : holder;
}
