/** Reduces one turn, in what the user sees and in what the model receives. */

import { cutText, type Note } from "../../../../model/reduce/cut-text.ts";
import type { Cuts } from "../../../../model/reduce/cuts.ts";
import { largest } from "../../../../model/values/lists.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { toMessage } from "../../response/message.ts";
import { promptText } from "../../response/turn-events.ts";
import { metadataOf } from "./calls.ts";
import { reduceMetadata } from "./metadata.ts";
import { changed, reduceParts, type Shorten } from "./parts.ts";
import type { SessionTable, TurnPlaces } from "./table.ts";

export interface TurnCuts {
  readonly table: SessionTable;
  readonly cuts: Cuts;
  readonly dropsAllTools: boolean;
  readonly note: Note;
  /** Called for each call that was cut. */
  tell(call: string): void;
}

/** The same object when nothing in it changes. */
export function reduceTurn(turn: JsonObject, index: number, how: TurnCuts): JsonObject {
  const { cuts, table } = how;
  const places = table.turns[index] as TurnPlaces;
  const number = table.turnOf[index] ?? -1;
  const shortenTo =
    (limit: number, call?: string): Shorten =>
    (text) => {
      const short = cutText(text, limit, (left) => how.note(left, number));
      if (short !== text && call !== undefined) how.tell(call);
      return short;
    };
  const shortenCall = (key: string): Shorten | undefined => {
    const limit = cuts.limits.get(key);
    return limit === undefined ? undefined : shortenTo(limit, key);
  };
  const shortenPassage = (number: number | undefined): Shorten | undefined => {
    const limit = number === undefined ? undefined : cuts.texts.get(number);
    return limit === undefined ? undefined : shortenTo(limit);
  };
  const metadata = metadataOf(turn);
  const reduced = reduceMetadata(metadata, { ...how, places, shortenCall, shortenPassage });
  const shownLimit = limitOfShown(metadata, places, cuts);
  const response = reduceParts(turn.response, {
    isGone: (part) =>
      cuts.calls.has(places.calls.parts.get(part) ?? "") || (how.dropsAllTools && isPrepared(part)),
    shortenCall: (part) => shortenCall(places.calls.parts.get(part) ?? ""),
    dropsThoughts: places.thoughts.length > 0 && places.thoughts.every((number) => cuts.thoughts.has(number)),
    shortenText: shownLimit === undefined ? undefined : shortenTo(shownLimit),
  });
  const shortenPrompt = Array.isArray(metadata.renderedUserMessage)
    ? undefined
    : shortenPassage(places.prompt);
  return changed(turn, {
    ...(shortenPrompt && { message: shortenMessage(turn.message, shortenPrompt) }),
    ...("response" in turn && { response }),
    ...(reduced !== metadata && { result: { ...asObject(turn.result), metadata: reduced } }),
  });
}

/** Of a call that was about to be made, in old files. */
const isPrepared = (part: unknown): boolean => isObject(part) && part.kind === "prepareToolInvocation";

function shortenMessage(message: unknown, shorten: Shorten): unknown {
  const text = promptText(message) ?? "";
  const short = shorten(text);
  if (short === text) return message;
  return isObject(message) ? { ...message, ...toMessage(short) } : short;
}

/** What is shown is not told apart by rounds, so no text of it becomes shorter than the longest that the model gets. */
function limitOfShown(
  metadata: JsonObject,
  { shown, rounds }: TurnPlaces,
  { texts }: Cuts,
): number | undefined {
  if (shown !== undefined) return texts.get(shown);
  const answers = [...rounds].map(([at, { answer }]) => ({
    limit: texts.get(answer),
    length: (asString(asObject(asArray(metadata.toolCallRounds)[at])?.response) ?? "").length,
  }));
  if (answers.every(({ limit }) => limit === undefined)) return undefined;
  return largest(
    answers.map(({ limit, length }) => limit ?? length),
    0,
  );
}
