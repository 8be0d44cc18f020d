/**
 * Reads the facts of a bulky line without parsing it, if both ends have the program's own layout. Damage in between
 * goes unnoticed, so this is only for readers that asked to skim.
 */
import { isTimely } from "../../../model/values/time.ts";
import { BACKSLASH, isEscaped, QUOTE } from "../../../platform/json/bytes.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import { findTail, idIn, says, timeIn } from "./envelope.ts";
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

/** The time of an unneeded line; undefined when the line must be parsed. */
export function timeOfUnwanted(bytes: Buffer, start: number, end: number): string | undefined {
  const type = start + BEGIN.length;
  for (const rest of UNNEEDED[bytes[type] ?? 0] ?? []) {
    if (!says(bytes, type, rest)) continue;
    const tail = says(bytes, start, BEGIN) ? findTail(bytes, type + rest.length, end) : -1;
    const time = tail < 0 ? "" : timeIn(bytes, tail);
    return isTimely(time) ? time : undefined;
  }
  return undefined;
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

/** The beginning of what a tool gave back; `cut` are the bytes of the text behind it, and of what little follows it where no other text does. */
export function skimResult(bytes: Buffer): { record: CopilotRecord; cut: number } | undefined {
  if (!says(bytes, 0, RESULT_HEAD)) return undefined;
  const tail = findTail(bytes, RESULT_HEAD.length, bytes.length);
  const found = tail < 0 ? undefined : findFields(bytes, Math.min(tail, FIELDS_LENGTH));
  if (!found || !isTimely(timeIn(bytes, tail))) return undefined;
  const { callEnd, exitCode, start } = found;
  const end = endOfText(bytes, start, Math.min(tail, start + BEGINNING));
  const data: JsonObject = {
    toolCallId: bytes.toString("utf8", RESULT_HEAD.length, callEnd),
    success: true,
  };
  const record = { type: RESULT, data, id: idIn(bytes, tail), time: timeIn(bytes, tail), ephemeral: false };
  const next = bytes[end] === QUOTE ? end : bytes.subarray(0, tail).indexOf(NEXT_MEMBER, end);
  const cut = (next < 0 ? tail : next) - end;
  try {
    data.result = { content: JSON.parse(`${bytes.toString("utf8", start - 1, end)}"`) };
    if (exitCode !== undefined) data.shellExecution = { exitCode };
    if (bytes[tail - 1] !== QUOTE) return { record, cut };
    return { record: { ...record, agentId: agentBefore(bytes, tail) }, cut };
  } catch {
    return undefined; // not what it looked like: whoever parses the whole line will say what is wrong
  }
}

interface ResultFields {
  /** The byte after the call's id. */
  readonly callEnd: number;
  readonly exitCode: number | undefined;
  /** The first byte of the text. */
  readonly start: number;
}

/** By hand, as nothing is far. How much was edited is told behind the result, so edits are for others to read. */
function findFields(bytes: Buffer, limit: number): ResultFields | undefined {
  let at = RESULT_HEAD.length;
  while (at < limit && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
  if (bytes[at] !== QUOTE) return undefined;
  const callEnd = at;
  let exitCode: number | undefined;
  for (at++; at < limit; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (says(bytes, at, CONTENT)) return { callEnd, exitCode, start: at + CONTENT.length };
    if (says(bytes, at, FILE_EDITS)) return undefined;
    if (says(bytes, at, EXIT_CODE))
      exitCode = Number.parseInt(
        bytes.toString("latin1", at + EXIT_CODE.length, at + EXIT_CODE.length + 12),
        10,
      );
  }
  return undefined;
}

function agentBefore(bytes: Buffer, tail: number): string {
  const at = bytes.lastIndexOf(AGENT, tail);
  return JSON.parse(bytes.toString("utf8", at + AGENT.length - 1, tail)) as string;
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
