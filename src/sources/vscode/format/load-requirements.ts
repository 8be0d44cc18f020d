/**
 * What VS Code requires of a session before it loads it. One turn that breaks a rule costs all turns: VS Code then shows an
 * empty chat and, at the next occasion, empties or deletes the file.
 */

import { printed } from "../../../model/text/printed.ts";
import { inBrief } from "../../../model/values/json.ts";
import { memberOf } from "../../../model/values/member.ts";
import { asArray, asNumber, asObject, isObject, type JsonObject } from "../../log/jsonl.ts";

/** The kinds of parts a prompt may have; any other makes VS Code throw. */
const PROMPT_PARTS = new Set([
  "agent",
  "dynamic",
  "prompt",
  "slash",
  "subcommand",
  "text",
  "tool",
  "toolset",
  "var",
]);

/** Lists that VS Code walks through; some of them must not hold null either. */
const LISTS: Record<string, { readonly mayHoldNull: boolean }> = {
  contentReferences: { mayHoldNull: false },
  codeCitations: { mayHoldNull: true },
  responseMarkdownInfo: { mayHoldNull: false },
  editedFileEvents: { mayHoldNull: true },
};

/** Why VS Code would lose all turns over this one, or could not save it, if so. */
export function whyTurnRejected(turn: unknown): string | undefined {
  if (!isObject(turn)) return "a turn is not an object";
  return (
    whyMessageRejected(turn.message) ??
    whyAttachmentsRejected(asObject(turn.variableData)?.variables) ??
    whyAnswerRejected(turn) ??
    whyListsRejected(turn)
  );
}

function whyListsRejected(turn: JsonObject): string | undefined {
  for (const [key, { mayHoldNull }] of Object.entries(LISTS)) {
    const list = memberOf(turn, key);
    if (list === undefined || list === null) continue;
    if (!Array.isArray(list)) return `${key} of a turn is not a list`;
    if (!mayHoldNull && list.includes(null)) return `${key} of a turn contains null`;
  }
  if (turn.followups && typeof turn.followups !== "string" && !Array.isArray(turn.followups)) {
    return "followups of a turn is not a list";
  }
  return turn.agent && typeof turn.agent !== "object"
    ? "the participant of a turn is not an object"
    : undefined;
}

function whyMessageRejected(message: unknown): string | undefined {
  if (typeof message === "string") return undefined;
  if (!isObject(message)) return "a turn has no message";
  if (!Array.isArray(message.parts)) return "the message of a turn has no parts";
  return message.parts.map(whyPromptPartRejected).find((rejection) => rejection !== undefined);
}

export function whyPromptPartRejected(part: unknown): string | undefined {
  if (!isObject(part) || !PROMPT_PARTS.has(printed(part.kind))) {
    return `a message has a part of the unknown kind ${inBrief(asObject(part)?.kind ?? null)}`;
  }
  if (part.range === undefined || part.range === null) return "a part of a message has no range";
  const { start, endExclusive } = asObject(part.range) ?? {};
  if ((asNumber(start) ?? 0) > (asNumber(endExclusive) ?? Number.POSITIVE_INFINITY)) {
    return "a part of a message ends before it begins";
  }
  return part.kind === "agent" && !isObject(part.agent) ? "a message names no participant" : undefined;
}

const whyAttachmentsRejected = (variables: unknown): string | undefined =>
  asArray(variables).some((each) => each === null || (each && typeof each !== "object"))
    ? "an attachment of a turn is not an object"
    : undefined;

function whyAnswerRejected(turn: JsonObject): string | undefined {
  const { response } = turn;
  if (response === null) {
    return turn.result || turn.responseErrorDetails ? "the answer of a turn is null" : undefined;
  }
  if (response === undefined || typeof response === "string" || response === false) return undefined;
  if (!Array.isArray(response)) return "the answer of a turn is not a list";
  for (const part of response) {
    if (!isThing(part) && typeof part !== "string") return "a part of an answer is not an object";
    if (isObject(part) && part.kind === "inlineReference" && !pointsSomewhere(part.inlineReference)) {
      return "a link in an answer points nowhere, so VS Code cannot show it";
    }
  }
  return undefined;
}

/** A symbol has a name; a file or a place in one has a URI, whose missing path VS Code fills in if it is tagged. */
export function pointsSomewhere(reference: unknown): boolean {
  if (!isObject(reference)) return false;
  if ("name" in reference && !("uri" in reference)) return true;
  const uri = asObject("uri" in reference ? reference.uri : reference) ?? {};
  return typeof uri.path === "string" || (uri.$mid === 1 && !uri.path);
}

/** An object or a list: VS Code looks into either. */
const isThing = (value: unknown): boolean => typeof value === "object" && value !== null;

/** What makes VS Code treat the session as a foreign one, which it never saves, or drop its title and dates. */
export function rejectionsOfHead(head: JsonObject, hasTurns: boolean): string[] {
  const rejections: string[] = [];
  if (!hasTurns) rejections.push("the session has no list of turns");
  if (typeof head.responderUsername !== "string") {
    rejections.push("responderUsername is missing, so VS Code drops title and dates");
  }
  // Absent ones are made up when the session is loaded; those of a wrong type are not.
  if (head.creationDate && typeof head.creationDate !== "number") {
    rejections.push("creationDate is not a number, so VS Code never saves the session again");
  }
  if (head.sessionId && typeof head.sessionId !== "string") {
    rejections.push("sessionId is not text, so VS Code never saves the session again");
  }
  if (!STORED_PLACES.includes(printed(head.initialLocation ?? "panel"))) {
    rejections.push("it does not belong to the chat panel, so VS Code never saves the session again");
  }
  const attachments = asObject(head.inputState)?.attachments ?? [];
  if (!Array.isArray(attachments) || !attachments.every(isThing)) {
    rejections.push("the attachments of the unsent draft are malformed, so VS Code cannot open the session");
  }
  return rejections;
}

/** The chat panel, and its name before it was one. */
const STORED_PLACES = ["panel", "editing-session"];

/** `usedContext` must be well formed, or the session counts as a foreign one. */
export function whyUsedContextRejected(turn: JsonObject): string | undefined {
  const used = turn.usedContext;
  if (!used) return undefined;
  const documents = asObject(used)?.documents;
  const fine = Array.isArray(documents) && documents.every(isDocument);
  return fine ? undefined : "usedContext of a turn is malformed, so VS Code never saves the session again";
}

/** Its URI must bear the tag by which VS Code makes it one again. */
const isDocument = (entry: unknown): boolean =>
  isObject(entry) &&
  asObject(entry.uri)?.$mid === 1 &&
  typeof entry.version === "number" &&
  Array.isArray(entry.ranges) &&
  entry.ranges.every((range) => EDGES.every((edge) => typeof asObject(range)?.[edge] === "number"));

const EDGES = ["startLineNumber", "startColumn", "endLineNumber", "endColumn"] as const;

/** What breaks the next save of a log, though it loads: VS Code compares what it holds with what the log said. */
export function whyNotSaved(head: JsonObject, turns: readonly SavedTurn[]): string | undefined {
  const { inputState } = head;
  if (inputState && (asObject(inputState)?.mode ?? undefined) === undefined) {
    return "the unsent draft has no mode, so VS Code can no longer save the session";
  }
  return turns.some((turn) => turn.isPlain && !turn.isFinished)
    ? "an unfinished turn has a plain message, so VS Code can no longer save the session"
    : undefined;
}

export interface SavedTurn {
  /** The message is a string instead of an object with parts. */
  readonly isPlain: boolean;
  readonly isFinished: boolean;
}

export const toSavedTurn = (turn: JsonObject): SavedTurn => ({
  isPlain: typeof turn.message === "string",
  isFinished: [1, 2, 3].includes(asNumber(asObject(turn.modelState)?.value) ?? 0),
});
