/**
 * What can be told of a bulky line without parsing it. Only lines with the program's own layout at both ends are left
 * unparsed; whatever is between goes unseen, damage included, so this is for readers that asked to skim.
 */
import { asString, type JsonObject } from "../jsonl.ts";
import { findTail, idIn, says, timeIn } from "./envelope.ts";
import type { CopilotRecord } from "./records.ts";
import { UNDECLARED } from "./shapes.ts";

/** Every line that can be skimmed begins with this. */
const BEGIN = Buffer.from('{"type":"');

/** Events that neither a reader nor the next model request needs, and the field the program writes first; most frequent first. */
const UNWANTED = [
  ...[
    ["tool.execution_start", "toolCallId"],
    ["assistant.turn_start", "turnId"],
    ["assistant.turn_end", "turnId"],
    ["system.message", "role"],
    ["session.binary_asset", "assetId"],
    ["session.shutdown", "accountingSnapshot"],
  ].map(([type, field]) => `${type}","data":{"${field}":`),
  ...UNDECLARED.map((type) => `${type}","data":{"`),
].map((rest) => Buffer.from(rest));

/** The time of a line that nobody wants, or nothing when it has to be looked at. */
export function timeOfUnwanted(bytes: Buffer, start: number, end: number): string | undefined {
  const type = start + BEGIN.length;
  for (const rest of UNWANTED) {
    if (!says(bytes, type, rest)) continue;
    const tail = says(bytes, start, BEGIN) ? findTail(bytes, type + rest.length, end) : -1;
    return tail < 0 ? undefined : timeIn(bytes, tail);
  }
  return undefined;
}

const RESULT = "tool.execution_complete";
const RESULT_HEAD = Buffer.from(`{"type":"${RESULT}","data":{"toolCallId":`);
const CONTENT = Buffer.from('"success":true,"result":{"content":"');
/** The same again for people; as every quote inside a text has a backslash before it, this cannot stand in one. */
const DETAIL = Buffer.from('","detailedContent":"');
const AGENT = Buffer.from('},"agentId":"');
/** What is read of a long result, in bytes. */
const BEGINNING = 1024;
/** The fields before a result are few and short. */
const FIELDS_LENGTH = 2048;

/** The beginning of a tool's result, and how many bytes follow it. */
export function beginResult(bytes: Buffer): { record: CopilotRecord; cut: number } | undefined {
  if (!says(bytes, 0, RESULT_HEAD)) return undefined;
  const tail = findTail(bytes, RESULT_HEAD.length, bytes.length);
  const mark = tail < 0 ? -1 : bytes.subarray(0, FIELDS_LENGTH).indexOf(CONTENT);
  if (mark < 0) return undefined;
  const start = mark + CONTENT.length;
  const end = endOfText(bytes, start, start + BEGINNING);
  if (bytes[end] === QUOTE) return undefined;
  let fields: JsonObject;
  let content: string;
  let agentId: string | undefined;
  try {
    fields = (JSON.parse(`${bytes.toString("utf8", 0, mark)}"success":true}}`) as { data: JsonObject }).data;
    content = JSON.parse(`"${bytes.toString("utf8", start, end)}"`) as string;
    agentId = bytes[tail - 1] === QUOTE ? agentBefore(bytes, tail) : undefined;
  } catch {
    return undefined; // not what it looked like: whoever parses the whole line will say what is wrong
  }
  // What was edited is told by the fields behind the result.
  if (asString(fields.toolCallId) === undefined || fields.fileEdits !== undefined) return undefined;
  const data = { ...fields, result: { content } };
  const detail = bytes.indexOf(DETAIL, end);
  return {
    record: {
      type: RESULT,
      data,
      id: idIn(bytes, tail),
      time: timeIn(bytes, tail),
      ephemeral: false,
      ...(agentId !== undefined && { agentId }),
    },
    cut: (detail < 0 ? bytes.length : detail) - end,
  };
}

function agentBefore(bytes: Buffer, tail: number): string {
  const at = bytes.lastIndexOf(AGENT, tail);
  return JSON.parse(bytes.toString("utf8", at + AGENT.length - 1, tail)) as string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** The closing quote of a JSON string, or the last place before `limit` where it can be cut. */
function endOfText(bytes: Buffer, start: number, limit: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) {
    const byte = bytes[at] as number;
    const size = byte !== BACKSLASH ? sizeOf(byte) : bytes[at + 1] === LETTER_U ? 6 : 2;
    if (at + size > limit) break;
    at += size;
  }
  return at;
}

/** Bytes of the UTF-8 character that begins with this one. */
const sizeOf = (byte: number): number => (byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);
