/** Repairs a turn that would make VS Code lose all turns: removes what it fails on, and keeps everything else. */
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { renderedText } from "../../format/history.ts";
import {
  pointsSomewhere,
  toSavedTurn,
  whyPromptPartRejected,
  whyTurnRejected,
  whyUsedContextRejected,
} from "../../format/load-requirements.ts";
import { toMessage } from "../../response/message.ts";
import { promptText } from "../../response/turn-events.ts";

export interface RepairedTurn {
  readonly turn: JsonObject;
  /** What was wrong with it; nothing where it was left alone. */
  readonly faults: readonly string[];
}

export interface TurnContext {
  /** In a log, VS Code cannot save an unfinished turn whose message is plain text. */
  readonly isLog: boolean;
  /** The file is damaged, so that what is missing may be lost. */
  readonly isTorn: boolean;
}

export function repairTurn(turn: JsonObject, { isLog, isTorn }: TurnContext): RepairedTurn {
  const { isPlain, isFinished } = toSavedTurn(turn);
  const isUnsaveable = isLog && isPlain && !isFinished;
  const isMute = isTorn && isObject(turn.message) && typeof turn.message.text !== "string";
  const faults = [
    whyTurnRejected(turn),
    whyUsedContextRejected(turn),
    isUnsaveable ? "an unfinished turn has a plain message" : undefined,
    isMute ? "the text of a prompt is lost" : undefined,
  ].filter((fault) => fault !== undefined);
  if (faults.length === 0) return { turn, faults };
  const { agent, followups, usedContext, ...rest } = turn;
  const repaired = {
    ...rest,
    message: repairMessage(turn, isUnsaveable),
    ...repairAttachments(turn.variableData),
    ...("response" in turn && { response: repairAnswer(turn.response) }),
    ...Object.fromEntries(LISTS.flatMap((key) => (key in turn ? [[key, withoutHoles(turn[key])]] : []))),
    ...(isObject(agent) && { agent }),
    ...((Array.isArray(followups) || typeof followups === "string") && { followups }),
    ...(whyUsedContextRejected(turn) === undefined && usedContext !== undefined && { usedContext }),
  };
  return { turn: repaired, faults };
}

const LISTS = ["contentReferences", "codeCitations", "responseMarkdownInfo", "editedFileEvents"] as const;

const withoutHoles = (list: unknown): unknown[] => asArray(list).filter((item) => item !== null);

/** Links and commands in the prompt are lost with a bad part, but none of its words. */
function repairMessage(turn: JsonObject, isUnsaveable: boolean): unknown {
  const { message } = turn;
  if (typeof message === "string") return isUnsaveable ? toMessage(message) : message;
  const parts = asArray(asObject(message)?.parts);
  if (
    isObject(message) &&
    typeof message.text === "string" &&
    Array.isArray(message.parts) &&
    parts.every((part) => whyPromptPartRejected(part) === undefined)
  )
    return message;
  const rendered = asObject(asObject(turn.result)?.metadata)?.renderedUserMessage;
  const told =
    promptText(message) ??
    (parts.map((part) => asString(asObject(part)?.text) ?? "").join("") ||
      userRequestIn(renderedText(rendered)));
  return { ...asObject(message), ...toMessage(told) };
}

/** The extension frames what was said. */
function userRequestIn(text: string): string {
  const [opening, closing] = ["<userRequest>", "</userRequest>"];
  const start = text.indexOf(opening);
  const end = start < 0 ? -1 : text.indexOf(closing, start);
  return end < 0 ? text : text.slice(start + opening.length, end).trim();
}

function repairAttachments(data: unknown): { variableData?: JsonObject } {
  const variables = asObject(data)?.variables;
  if (!isObject(data) || !Array.isArray(variables)) return {};
  return {
    variableData: {
      ...data,
      variables: variables.filter((each) => typeof each === "object" && each !== null),
    },
  };
}

function repairAnswer(response: unknown): unknown {
  if (typeof response === "string") return response;
  const parts = isObject(response) ? [response] : asArray(response);
  return parts.flatMap((part): unknown[] => {
    if (typeof part !== "string" && (typeof part !== "object" || part === null)) return [];
    if (!isObject(part) || part.kind !== "inlineReference" || pointsSomewhere(part.inlineReference))
      return [part];
    return typeof part.name === "string" ? [{ value: part.name }] : [];
  });
}
