/**
 * The history of a chat as the Copilot extension rebuilds it: from its own data in `result.metadata`, not from the
 * answers that VS Code shows.
 */
import type { ContextMessage, ContextToolCall } from "../../../model/session/context.ts";
import { printed } from "../../../model/text/printed.ts";
import { append } from "../../../model/values/lists.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import { partsOf, textOf } from "../response/answer.ts";
import { modelCallId, resultOf, toInput } from "../response/tools.ts";
import { modelOf, promptText, requestStartsTurn } from "../response/turn-events.ts";
import type { Path } from "./json-outline.ts";
import type { Turn } from "./parsed-session.ts";

/** What is kept of a turn: a text is as long as it is wanted, and all that only people see is gone. */
interface PastTurn {
  readonly originOf: Turn["originOf"] | undefined;
  /** As `show` counts; -1 before the first. */
  readonly index: number;
  readonly prompt: { readonly text: string; readonly at: Path };
  readonly model: string | undefined;
  readonly rounds: readonly Round[];
  /** What came of calls, by their ids. */
  readonly results: ReadonlyMap<string, string | undefined>;
  /** The limit of calls was reached. */
  readonly isExceeded: boolean;
  /** It answers whether to go on. */
  readonly isConfirmation: boolean;
  readonly environment: string | undefined;
  readonly summary: { readonly text: string; readonly round: unknown } | undefined;
}

interface Round {
  readonly id: string;
  readonly response: string;
  readonly calls: readonly Call[];
  readonly thinking: string;
  readonly model: string | undefined;
  readonly hookContext: string | undefined;
  summary: string | undefined;
  readonly at: Path;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

type Told = Pick<Turn, "value"> & Partial<Pick<Turn, "originOf">>;

export interface History {
  add(turn: Told): void;
  /** How many turns, as people count them. */
  turns(): number;
  /** The messages, for the chosen model. */
  end(selected: string | undefined): ContextMessage[];
}

/** `hold` gives what is kept of each result. */
export function createHistory(hold: (text: string) => string = (text) => text): History {
  const past: PastTurn[] = [];
  let index = -1;
  return {
    add(turn) {
      if (!isObject(turn.value)) return;
      if (requestStartsTurn(turn.value)) index++;
      // Turns that were undone are gone by the time the next message is sent.
      if (!turn.value.shouldBeRemovedOnSend && !turn.value.isHidden)
        past.push(toPastTurn(turn.value, turn.originOf, index, hold));
    },
    turns: () => index + 1,
    end(selected) {
      placeSummaries(past);
      const model = selected ?? past.findLast((each) => each.model !== undefined)?.model;
      const messages: ContextMessage[] = [];
      const environment = past.find((each) => each.environment !== undefined);
      if (environment) {
        const text = environment.environment ?? "";
        const at = ["result", "metadata", "renderedGlobalContext"];
        messages.push({
          role: "user",
          text,
          madeUp: true,
          ...placed(environment, at),
          ...within(environment),
        });
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
    },
  };
}

export function toMessages(turns: readonly Turn[], selected: string | undefined): ContextMessage[] {
  const history = createHistory();
  for (const turn of turns) history.add(turn);
  return history.end(selected);
}

export const chosenModel = (head: JsonObject): JsonObject | undefined =>
  asObject(asObject(head.inputState)?.selectedModel);

export const selectedModel = (head: JsonObject): string | undefined =>
  modelOf({ modelId: chosenModel(head)?.identifier });

const within = ({ index }: PastTurn): Pick<ContextMessage, "turn"> => (index < 0 ? {} : { turn: index });

const placed = ({ originOf }: PastTurn, at: Path): Pick<ContextMessage, "origin"> =>
  originOf ? { origin: originOf(at) } : {};

function toPastTurn(
  value: JsonObject,
  originOf: Turn["originOf"] | undefined,
  index: number,
  hold: (text: string) => string,
): PastTurn {
  const metadata = asObject(asObject(value.result)?.metadata) ?? {};
  const rounds = asArray(metadata.toolCallRounds).filter(isObject);
  const results = asObject(metadata.toolCallResults) ?? {};
  const summary = asObject(metadata.summary);
  const text = asString(summary?.text);
  return {
    originOf,
    index,
    prompt: toPrompt(value, metadata),
    model: modelOf(value),
    rounds: rounds.length > 0 ? rounds.map((round, i) => toRound(round, i, value)) : [onlyRound(value)],
    results: new Map(
      Object.keys(results).map((id) => {
        const result = resultOf(results, id);
        return [id, result === undefined ? undefined : hold(result === "" ? "(empty)" : result)];
      }),
    ),
    isExceeded: Boolean(metadata.maxToolCallsExceeded),
    isConfirmation: value.confirmation !== undefined,
    environment:
      metadata.renderedGlobalContext === undefined ? undefined : renderedText(metadata.renderedGlobalContext),
    summary: text === undefined ? undefined : { text, round: summary?.toolCallRoundId },
  };
}

function toPrompt(value: JsonObject, metadata: JsonObject): PastTurn["prompt"] {
  const rendered = metadata.renderedUserMessage;
  if (Array.isArray(rendered))
    return { text: renderedText(rendered), at: ["result", "metadata", "renderedUserMessage"] };
  return { text: promptText(value.message) ?? "", at: value.message === undefined ? [] : ["message"] };
}

const onlyRound = (value: JsonObject): Round => ({
  id: asString(value.requestId) ?? "",
  response: answerText(value),
  calls: [],
  thinking: "",
  model: modelOf(value),
  hookContext: undefined,
  summary: undefined,
  at: value.response === undefined ? [] : ["response"],
});

function toRound(round: JsonObject, index: number, value: JsonObject): Round {
  return {
    id: asString(round.id) ?? "",
    response: asString(round.response) ?? "",
    calls: asArray(round.toolCalls)
      .filter(isObject)
      .map((call) => ({
        id: asString(call.id) ?? "",
        name: asString(call.name) ?? "",
        arguments: call.arguments,
      })),
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
  for (const [i, { summary }] of past.entries()) {
    if (!summary) continue;
    const own = past.slice(0, i + 1).toReversed();
    const round = own.flatMap((each) => each.rounds).find(({ id }) => id === summary.round);
    if (round) round.summary = summary.text;
  }
}

function turnMessages(
  turn: PastTurn,
  before: PastTurn | undefined,
  next: PastTurn | undefined,
  model: string | undefined,
): ContextMessage[] {
  const { rounds, prompt } = turn;
  const messages: ContextMessage[] = [];
  const summarized = rounds.findLastIndex((round) => round.summary !== undefined);
  const summary = rounds[summarized];
  if (summary) {
    const text = `<conversation-summary>\n${summary.summary}\n</conversation-summary>`;
    messages.push({ role: "user", text, madeUp: true, ...placed(turn, summary.at) });
  } else if (!(turn.isConfirmation && before?.isExceeded)) {
    // Confirming "Continue?" is not a message of its own.
    messages.push({ role: "user", text: prompt.text, ...placed(turn, prompt.at) });
  }
  // When the limit of calls was reached, the results of the last ones are in the next turn.
  const results = turn.isExceeded && next ? new Map([...turn.results, ...next.results]) : turn.results;
  for (const round of rounds.slice(summarized + 1))
    append(messages, roundMessages(turn, round, results, model));
  return messages;
}

function roundMessages(
  turn: PastTurn,
  round: Round,
  results: PastTurn["results"],
  model: string | undefined,
): ContextMessage[] {
  const answered = round.calls.flatMap((call) => {
    const result = results.get(call.id);
    return result === undefined ? [] : [{ id: modelCallId(call.id), call, result }];
  });
  // Calls without a result are left out, and with the last of them the whole round.
  if (round.calls.length > 0 && answered.length === 0) return [];
  const origin = placed(turn, round.at);
  const messages: ContextMessage[] = [];
  const toolCalls = answered.map(
    ({ id, call }): ContextToolCall => ({ id, name: call.name, arguments: toInput(call.arguments) }),
  );
  const thinks = round.thinking !== "" && round.model === model;
  if (round.response !== "" || toolCalls.length > 0) {
    messages.push({
      role: "assistant",
      text: round.response,
      ...(thinks && { thinking: round.thinking }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...origin,
    });
  }
  for (const { id, result } of answered) {
    messages.push({ role: "tool", text: result, toolCallId: id, ...origin });
  }
  if (round.hookContext !== undefined) {
    messages.push({ role: "user", text: round.hookContext, madeUp: true, ...origin });
  }
  return messages;
}

/** Parts of a rendered message: 1 is text, 2 an image, 3 a mark for the cache. */
export const renderedText = (parts: unknown): string =>
  asArray(parts)
    .map((part) => (isObject(part) ? (asString(part.text) ?? (part.type === 2 ? "[image]" : "")) : ""))
    .join("");
