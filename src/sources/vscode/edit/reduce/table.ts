/** The passages of a session with their locations: what the model receives, and what only the user sees. */

import type { MadeCall, Passage } from "../../../../model/reduce/passage.ts";
import { writeJson } from "../../../../model/values/json.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { findToolAction } from "../../../tools/actions.ts";
import { answerText, renderedText, thoughtText } from "../../format/history.ts";
import { partsOf } from "../../response/answer.ts";
import { resultOf } from "../../response/tools.ts";
import { modelOf, promptText, requestStartsTurn } from "../../response/turn-events.ts";
import { TOOL_ACTIONS } from "../../tool-actions.ts";
import { metadataOf, type TurnCalls } from "./calls.ts";
import { roundIds, type Scene, setScene } from "./scene.ts";

/** The numbers of passages, by where in a turn they stand. */
export interface TurnPlaces {
  readonly prompt: number;
  /** The answer as it is shown, where the model gets that for want of rounds. */
  readonly shown?: number;
  /** By their places in the list of rounds; what is no round has none. */
  readonly rounds: ReadonlyMap<number, RoundPlaces>;
  readonly thoughts: readonly number[];
  readonly calls: TurnCalls;
  /** The turn that answers the last calls of this one, where that is another one. */
  readonly answeredIn?: number;
}

export interface RoundPlaces {
  readonly answer: number;
  readonly said?: number;
}

export interface SessionTable {
  readonly passages: readonly Passage[];
  /** By request, as are the passages' places; a request that asks for nothing belongs to the turn before. */
  readonly turns: readonly TurnPlaces[];
  /** The number of each request's turn; -1 before the first. */
  readonly turnOf: readonly number[];
  /** The turns that hold the summary which stands for all before it: they cannot go alone. */
  readonly anchored: ReadonlySet<number>;
  /** Summaries, by the last round that each covers. */
  readonly summaries: ReadonlyMap<string, number>;
}

type Weigh = (text: string) => number;
type Add = (passage: Omit<Passage, "turn" | "unseen">, isSent?: boolean) => number;

export const isThought = (part: unknown): boolean => isObject(part) && part.kind === "thinking";

export function tabulate(head: JsonObject, turns: readonly JsonObject[], weigh: Weigh): SessionTable {
  const scene = setScene(head, turns);
  const passages: Passage[] = [];
  const summaries = new Map<string, number>();
  let count = 0;
  const turnOf = turns.map((request) => (requestStartsTurn(request) ? count++ : count - 1));
  let isCovered = scene.ending !== undefined;
  const places = turns.map((turn, index): TurnPlaces => {
    const number = turnOf[index] ?? -1;
    const last =
      index === scene.ending ? roundIds(turn).findLast((id) => scene.summaries.has(id)) : undefined;
    const add: Add = (passage, isSent = true) => {
      const unseen = !isSent || isCovered || !scene.next.has(index);
      return passages.push({ turn: number, ...passage, ...(unseen && { unseen }) }) - 1;
    };
    const endRound = (id: string): void => {
      if (id === last) isCovered = false;
      const summary = scene.summaries.get(id);
      if (summary) summaries.set(id, add({ kind: "summary", tokens: weigh(summary.text) }));
    };
    if (index === scene.environment)
      // It stands before all turns, also before those that a summary covers.
      passages.push({
        kind: "setting",
        turn: number,
        tokens: weigh(renderedText(metadataOf(turn).renderedGlobalContext)),
      });
    return tabulateTurn(turn, index, scene, { weigh, add, endRound });
  });
  const anchored = new Set(findAnchors(scene).map((index) => turnOf[index] ?? -1));
  return { passages, turns: places, turnOf, anchored, summaries };
}

function findAnchors({ ending, summaries, turns }: Scene): number[] {
  if (ending === undefined) return [];
  const named = roundIds(turns[ending] ?? {}).findLast((id) => summaries.has(id)) ?? "";
  return [ending, summaries.get(named)?.carrier ?? ending];
}

interface Pen {
  readonly weigh: Weigh;
  readonly add: Add;
  endRound(id: string): void;
}

function tabulateTurn(turn: JsonObject, index: number, scene: Scene, pen: Pen): TurnPlaces {
  const { weigh, add } = pen;
  const calls = scene.calls[index] as TurnCalls;
  const prompt = add({ kind: "prompt", tokens: weigh(promptOf(turn)) }, !scene.isGoingOn(index));
  const answeredIn = scene.answeredIn(index);
  const results = {
    ...asObject(metadataOf(turn).toolCallResults),
    ...asObject(metadataOf(scene.turns[answeredIn ?? -1] ?? {}).toolCallResults),
  };
  const rounds = new Map<number, RoundPlaces>();
  for (const [number, round] of asArray(metadataOf(turn).toolCallRounds).entries()) {
    if (!isObject(round)) continue;
    const made = calls.made.filter(({ at }) => at[3] === number);
    const isReplayed = (modelOf(round) ?? modelOf(turn)) === scene.model;
    rounds.set(number, tabulateRound(round, made, results, isReplayed, pen));
    pen.endRound(asString(round.id) ?? "");
  }
  const shown = rounds.size > 0 ? undefined : add({ kind: "answer", tokens: weigh(answerText(turn)) });
  if (shown !== undefined) pen.endRound(asString(turn.requestId) ?? "");
  for (const { key, name } of calls.onlyShown)
    add({ kind: "other", tokens: 0, makes: [{ id: key, name, tokens: 0 }] });
  for (const call of calls.within) add({ kind: "other", tokens: 0, call });
  const kept = [...rounds].flatMap(([number, { answer }]) =>
    asObject(asObject(asArray(metadataOf(turn).toolCallRounds)[number])?.thinking) ? [answer] : [],
  );
  const thoughts =
    kept.length > 0
      ? kept
      : partsOf(turn)
          .filter(isThought)
          .map(() => add(SHOWN_THOUGHT));
  return {
    prompt,
    rounds,
    thoughts,
    calls,
    ...(shown !== undefined && { shown }),
    ...(answeredIn !== undefined && { answeredIn }),
  };
}

const SHOWN_THOUGHT = { kind: "thought", tokens: 0, thinks: 0 } as const;

function tabulateRound(
  round: JsonObject,
  made: TurnCalls["made"],
  results: JsonObject,
  isReplayed: boolean,
  { weigh, add }: Pen,
): RoundPlaces {
  const thought = asObject(round.thinking);
  const answers = made.flatMap(({ id, key, failed }) => {
    const text = resultOf(results, id);
    return text === undefined ? [] : [{ key, text, failed }];
  });
  const answered = new Set(answers.map(({ key }) => key));
  const answer = add(
    {
      kind: "answer",
      tokens: weigh(asString(round.response) ?? ""),
      ...(made.length > 0 && {
        makes: made.map((call) => toMade(call, answered.has(call.key) ? weigh : () => 0)),
      }),
      ...(thought && { thinks: isReplayed ? weigh(thoughtText(thought.text)) : 0 }),
    },
    // Calls without a result are left out, and with the last of them the whole round.
    made.length === 0 || answered.size > 0,
  );
  for (const { key, text, failed } of answers)
    add({ kind: "result", call: key, tokens: weigh(text), ...(failed && { failed }) });
  const hook = asString(round.hookContext);
  if (hook === undefined) return { answer };
  return { answer, said: add({ kind: "said", tokens: weigh(hook) }) };
}

function toMade({ key, name, input }: TurnCalls["made"][number], weigh: Weigh): MadeCall {
  const does = findToolAction(TOOL_ACTIONS, name, input)?.does;
  const edits = does === "edit" || does === "create" || does === "delete";
  const tokens = weigh(`${name} ${writeJson(input) ?? ""}`);
  return { id: key, name, tokens, ...(edits && { edits }) };
}

function promptOf(turn: JsonObject): string {
  const { renderedUserMessage: rendered } = metadataOf(turn);
  return Array.isArray(rendered) ? renderedText(rendered) : (promptText(turn.message) ?? "");
}
