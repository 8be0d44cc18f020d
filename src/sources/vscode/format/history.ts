/**
 * The history of a chat as the Copilot extension rebuilds it: from its own data in `result.metadata`, not from the
 * answers that VS Code shows.
 */
import type { ContextMessage, ContextToolCall } from "../../../model/session/context.ts";
import { printed } from "../../../model/text/printed.ts";
import { append } from "../../../model/values/lists.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../jsonl.ts";
import { partsOf, textOf } from "../response/answer.ts";
import { modelCallId, resultOf, toInput } from "../response/tools.ts";
import { modelOf, promptText, requestStartsTurn } from "../response/turn-events.ts";
import type { Path } from "./json-outline.ts";
import type { Turn } from "./parsed-session.ts";

interface Round {
  readonly id: string;
  readonly response: string;
  readonly calls: readonly JsonObject[];
  readonly thinking: string;
  readonly model: string | undefined;
  readonly hookContext: string | undefined;
  summary: string | undefined;
  readonly at: Path;
}

interface PastTurn {
  readonly turn: Turn;
  /** As `show` counts; -1 before the first. */
  readonly index: number;
  readonly value: JsonObject;
  readonly metadata: JsonObject;
  readonly rounds: readonly Round[];
}

export function toMessages(turns: readonly Turn[], selected: string | undefined): ContextMessage[] {
  let index = -1;
  const past = turns.flatMap((turn) => {
    if (isObject(turn.value) && requestStartsTurn(turn.value)) index++;
    return toPastTurn(turn, index);
  });
  placeSummaries(past);
  const model = selected ?? past.map(({ value }) => modelOf(value)).findLast((name) => name !== undefined);
  const messages: ContextMessage[] = [];
  const environment = past.find(({ metadata }) => metadata.renderedGlobalContext !== undefined);
  if (environment) {
    const origin = environment.turn.originOf(["result", "metadata", "renderedGlobalContext"]);
    const text = renderedText(environment.metadata.renderedGlobalContext);
    messages.push({ role: "user", text, madeUp: true, origin, ...within(environment) });
  }
  // The newest summary stands for everything before it.
  const from = Math.max(
    0,
    past.findLastIndex(({ rounds }) => rounds.some((round) => round.summary !== undefined)),
  );
  for (const [i, each] of past.entries()) {
    if (i < from) continue;
    const own = turnMessages(each, past[i - 1], past[i + 1], model);
    append(
      messages,
      own.map((message) => ({ ...message, ...within(each) })),
    );
  }
  return messages;
}

const within = ({ index }: PastTurn): Pick<ContextMessage, "turn"> => (index < 0 ? {} : { turn: index });

/** Turns that were undone are gone by the time the next message is sent. */
function toPastTurn(turn: Turn, index: number): PastTurn[] {
  const { value } = turn;
  if (!isObject(value) || value.shouldBeRemovedOnSend || value.isHidden) return [];
  const metadata = asObject(asObject(value.result)?.metadata) ?? {};
  const rounds = asArray(metadata.toolCallRounds).filter(isObject);
  if (rounds.length > 0) {
    return [{ turn, index, value, metadata, rounds: rounds.map((round, i) => toRound(round, i, value)) }];
  }
  const only: Round = {
    id: asString(value.requestId) ?? "",
    response: answerText(value),
    calls: [],
    thinking: "",
    model: modelOf(value),
    hookContext: undefined,
    summary: undefined,
    at: value.response === undefined ? [] : ["response"],
  };
  return [{ turn, index, value, metadata, rounds: [only] }];
}

function toRound(round: JsonObject, index: number, value: JsonObject): Round {
  return {
    id: asString(round.id) ?? "",
    response: asString(round.response) ?? "",
    calls: asArray(round.toolCalls).filter(isObject),
    thinking: thoughtText(asObject(round.thinking)?.text),
    model: modelOf(round) ?? modelOf(value),
    hookContext: asString(round.hookContext),
    summary: asString(round.summary),
    at: ["result", "metadata", "toolCallRounds", index],
  };
}

export const thoughtText = (text: unknown): string =>
  Array.isArray(text) ? text.map((part) => printed(part ?? "")).join("") : (asString(text) ?? "");

/** Without rounds (ask mode, other participants) the text of the answer is all there is. */
export const answerText = (value: JsonObject): string =>
  partsOf(value)
    .map((part) => textOf(part) ?? "")
    .join("");

/** A turn may carry the summary of a round that ended an earlier turn. */
function placeSummaries(past: readonly PastTurn[]): void {
  for (const [i, { metadata }] of past.entries()) {
    const summary = asObject(metadata.summary);
    const text = asString(summary?.text);
    if (text === undefined) continue;
    const own = past.slice(0, i + 1).toReversed();
    const round = own.flatMap((each) => each.rounds).find(({ id }) => id === summary?.toolCallRoundId);
    if (round) round.summary = text;
  }
}

function turnMessages(
  { turn, value, metadata, rounds }: PastTurn,
  before: PastTurn | undefined,
  next: PastTurn | undefined,
  model: string | undefined,
): ContextMessage[] {
  const messages: ContextMessage[] = [];
  const summarized = rounds.findLastIndex((round) => round.summary !== undefined);
  const summary = rounds[summarized];
  if (summary) {
    const text = `<conversation-summary>\n${summary.summary}\n</conversation-summary>`;
    messages.push({ role: "user", text, madeUp: true, origin: turn.originOf(summary.at) });
  } else if (!(value.confirmation !== undefined && before?.metadata.maxToolCallsExceeded)) {
    // Confirming "Continue?" is not a message of its own.
    const rendered = Array.isArray(metadata.renderedUserMessage);
    const text = rendered ? renderedText(metadata.renderedUserMessage) : (promptText(value.message) ?? "");
    const at = rendered
      ? ["result", "metadata", "renderedUserMessage"]
      : value.message === undefined
        ? []
        : ["message"];
    messages.push({ role: "user", text, origin: turn.originOf(at) });
  }
  // When the limit of calls was reached, the results of the last ones are in the next turn.
  const results = {
    ...asObject(metadata.toolCallResults),
    ...(metadata.maxToolCallsExceeded ? asObject(next?.metadata.toolCallResults) : {}),
  };
  for (const round of rounds.slice(summarized + 1))
    append(messages, roundMessages(turn, round, results, model));
  return messages;
}

function roundMessages(
  turn: Turn,
  round: Round,
  results: JsonObject,
  model: string | undefined,
): ContextMessage[] {
  const answered = round.calls.flatMap((call) => {
    const id = asString(call.id) ?? "";
    const result = resultOf(results, id);
    return result === undefined ? [] : [{ id: modelCallId(id), call, result }];
  });
  // Calls without a result are left out, and with the last of them the whole round.
  if (round.calls.length > 0 && answered.length === 0) return [];
  const origin = turn.originOf(round.at);
  const messages: ContextMessage[] = [];
  const toolCalls = answered.map(
    ({ id, call }): ContextToolCall => ({
      id,
      name: asString(call.name) ?? "",
      arguments: toInput(call.arguments),
    }),
  );
  const thinks = round.thinking !== "" && round.model === model;
  if (round.response !== "" || toolCalls.length > 0) {
    messages.push({
      role: "assistant",
      text: round.response,
      ...(thinks && { thinking: round.thinking }),
      ...(toolCalls.length > 0 && { toolCalls }),
      origin,
    });
  }
  for (const { id, result } of answered) {
    messages.push({ role: "tool", text: result === "" ? "(empty)" : result, toolCallId: id, origin });
  }
  if (round.hookContext !== undefined) {
    messages.push({ role: "user", text: round.hookContext, madeUp: true, origin });
  }
  return messages;
}

/** Parts of a rendered message: 1 is text, 2 an image, 3 a mark for the cache. */
export const renderedText = (parts: unknown): string =>
  asArray(parts)
    .map((part) => (isObject(part) ? (asString(part.text) ?? (part.type === 2 ? "[image]" : "")) : ""))
    .join("");
