/**
 * Reads the facts of a bulky line without parsing it, if both ends have the program's own layout. Damage in between
 * goes unnoticed, so this is only for readers that asked to skim.
 */
import { BACKSLASH, CLOSE, isEscaped, QUOTE } from "../../../platform/json/bytes.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import { findTail, idIn, isTimelyAt, says, timeIn } from "./envelope.ts";
import { eventTypes } from "./event-types.ts";
import type { CopilotRecord } from "./records.ts";

/** Every line that can be skimmed begins with this. */
const BEGIN = Buffer.from('{"type":"');

/** How lines of unneeded types continue after their type, by the first byte of that. */
const UNNEEDED = Array.from({ length: 256 }, (_, first) =>
  [...eventTypes].flatMap(([type, { skippedBy }]) =>
    skippedBy === undefined || type.charCodeAt(0) !== first
      ? []
      : [Buffer.from(`${type}","data":{"${skippedBy === "" ? "" : `${skippedBy}":`}`)],
  ),
);

/** Where the usual end of an unneeded line begins; -1 when the line must be parsed. */
export function tailOfUnwanted(bytes: Buffer, start: number, end: number): number {
  const type = start + BEGIN.length;
  for (const rest of UNNEEDED[bytes[type] ?? 0] ?? []) {
    if (!says(bytes, type, rest)) continue;
    const tail = says(bytes, start, BEGIN) ? findTail(bytes, type + rest.length, end) : -1;
    return tail >= 0 && isTimelyAt(bytes, tail) ? tail : -1;
  }
  return -1;
}

/** The time of an unneeded line; undefined when the line must be parsed. */
export function timeOfUnwanted(bytes: Buffer, start: number, end: number): string | undefined {
  const tail = tailOfUnwanted(bytes, start, end);
  return tail < 0 ? undefined : timeIn(bytes, tail);
}

const RESULT = "tool.execution_complete";
const RESULT_HEAD = Buffer.from(`{"type":"${RESULT}","data":{"toolCallId":"`);
const CONTENT = Buffer.from('"success":true,"result":{"content":"');
const EXIT_CODE = Buffer.from('"shellExecution":{"exitCode":');
const FILE_EDITS = Buffer.from('"fileEdits":');
const AGENT = Buffer.from('},"agentId":"');
/** What is read of a result, in bytes: 256 characters of any plain text, in whatever script. */
const BEGINNING = 768;
/** The fields before a result are few and short. */
const FIELDS_LENGTH = 2048;

/** Between two members whose values are texts: inside of a text, a backslash stands before every quote. */
const NEXT_MEMBER = Buffer.from('","');

/** What the bytes of a result say before anything is made of them. */
export interface SkimmedResult {
  readonly callId: string;
  readonly exitCode: number | undefined;
  /** The beginning of what the tool gave back. */
  readonly text: string;
  /** The bytes of the text behind it, and of what little follows it where no other text does. */
  readonly cut: number;
  /** Where the usual end of the line begins. */
  readonly tail: number;
  /** It is the work of a sub-agent. */
  readonly hasAgent: boolean;
}

export function skimResult(bytes: Buffer, start: number, end: number): SkimmedResult | undefined {
  if (!says(bytes, start, RESULT_HEAD)) return undefined;
  const id = start + RESULT_HEAD.length;
  const tail = findTail(bytes, id, end);
  if (tail < 0 || !isTimelyAt(bytes, tail)) return undefined;
  const found = findFields(bytes, id, Math.min(tail, start + FIELDS_LENGTH));
  if (!found) return undefined;
  const textEnd = endOfText(bytes, found.start, Math.min(tail, found.start + BEGINNING));
  const next = bytes[textEnd] === QUOTE ? textEnd : bytes.indexOf(NEXT_MEMBER, textEnd);
  const text = textBetween(bytes, found.start, textEnd);
  if (text === undefined) return undefined; // not what it looked like: whoever parses the whole line will say what is wrong
  return {
    callId: bytes.toString("utf8", id, found.callEnd),
    exitCode: found.exitCode,
    text,
    cut: (next < 0 || next + NEXT_MEMBER.length > tail ? tail : next) - textEnd,
    tail,
    hasAgent: bytes[tail - 1] === QUOTE,
  };
}
/** The same as a record, with as much in it as a reader of results wants; `cut` as above. */
export function skimmedRecord(bytes: Buffer): { record: CopilotRecord; cut: number } | undefined {
  const found = skimResult(bytes, 0, bytes.length);
  if (!found) return undefined;
  const { callId, exitCode, text, cut, tail, hasAgent } = found;
  const data: JsonObject = { toolCallId: callId, success: true, result: { content: text } };
  if (exitCode !== undefined) data.shellExecution = { exitCode };
  const record = { type: RESULT, data, id: idIn(bytes, tail), time: timeIn(bytes, tail), ephemeral: false };
  if (!hasAgent) return { record, cut };
  const agentId = agentBefore(bytes, tail);
  return agentId === undefined ? undefined : { record: { ...record, agentId }, cut };
}

/** What the program writes behind the calls of an answer: ids, and reasoning that only the service of its model can read. */
const BEHIND_CALLS = Buffer.from('],"interactionId":"');
const PARENT = Buffer.from('"parentToolCallId"');
/** Less is parsed sooner than looked for. */
const WORTH_LEAVING = 256;

/**
 * The data of an answer between two places, as text: without what stands behind its calls, which makes no event, where that
 * is long, is nothing but ids and texts, and does not tell that the answer is a sub-agent's.
 */
export function answerText(bytes: Buffer, start: number, end: number): string {
  if (end - start < WORTH_LEAVING) return bytes.toString("utf8", start, end);
  // Searched on its own: what is not in this line would be looked for in all that follow.
  const data = bytes.subarray(start, end);
  const calls = data.indexOf(BEHIND_CALLS) + 1;
  const isLeft =
    calls > 0 &&
    data.length - calls > WORTH_LEAVING &&
    data.indexOf(CLOSE, calls) === data.length - 1 &&
    data.indexOf(PARENT, calls) < 0;
  return isLeft ? `${data.toString("utf8", 0, calls)}}` : data.toString("utf8");
}

interface ResultFields {
  /** The byte after the call's id. */
  readonly callEnd: number;
  readonly exitCode: number | undefined;
  /** The first byte of the text. */
  readonly start: number;
}

/** By hand, as nothing is far. How much was edited is told behind the result, so edits are for others to read. */
function findFields(bytes: Buffer, start: number, limit: number): ResultFields | undefined {
  let at = start;
  while (at < limit && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
  if (bytes[at] !== QUOTE) return undefined;
  const callEnd = at;
  let exitCode: number | undefined;
  for (at++; at < limit; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (says(bytes, at, CONTENT)) return { callEnd, exitCode, start: at + CONTENT.length };
    if (says(bytes, at, FILE_EDITS)) return undefined;
    if (says(bytes, at, EXIT_CODE)) exitCode = numberAt(bytes, at + EXIT_CODE.length);
  }
  return undefined;
}

function numberAt(bytes: Buffer, at: number): number | undefined {
  const number = Number.parseInt(bytes.toString("latin1", at, at + 12), 10);
  return Number.isNaN(number) ? undefined : number;
}

/** Nothing where it only looked like one. */
function agentBefore(bytes: Buffer, tail: number): string | undefined {
  const at = bytes.lastIndexOf(AGENT, tail);
  return parsed(bytes.toString("utf8", at + AGENT.length - 1, tail));
}

const textBetween = (bytes: Buffer, start: number, end: number): string | undefined =>
  parsed(
    bytes[end] === QUOTE
      ? bytes.toString("utf8", start - 1, end + 1)
      : `${bytes.toString("utf8", start - 1, end)}"`,
  );

function parsed(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** The longest escape, a backslash with u and four digits, is no longer than this. */
const ESCAPE = 6;

/** The closing quote of a JSON string, or the last place before `limit` where it can be cut. */
function endOfText(bytes: Buffer, start: number, limit: number): number {
  for (let at = bytes.indexOf(QUOTE, start); at >= 0 && at < limit; at = bytes.indexOf(QUOTE, at + 1))
    if (!isEscaped(bytes, at, start)) return at;
  let end = Math.min(limit, bytes.length);
  // Back to where a character begins, and before an escape that may go on behind the cut.
  while (end > start && isInsideCharacter(bytes[end] as number)) end--;
  for (let at = end - 1; at >= Math.max(start, end - ESCAPE); at--)
    if (bytes[at] === BACKSLASH) return isEscaped(bytes, at, start) ? at - 1 : at;
  return end;
}

const isInsideCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;
