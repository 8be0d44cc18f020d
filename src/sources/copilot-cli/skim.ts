/**
 * What can be told of a bulky line without parsing it. Only lines with the program's own layout at both ends are left
 * unparsed; whatever is between goes unseen, damage included, so this is for readers that asked to skim.
 */
import { asString, type JsonObject } from "../jsonl.ts";
import type { CopilotRecord } from "./records.ts";
import { isUndeclared } from "./shapes.ts";

/** A line that nobody wants tells its time; a tool's result tells its beginning, and how many bytes follow it. */
export type Skimmed =
  | { readonly time: string }
  | { readonly record: CopilotRecord; readonly cut: number; readonly time: string };

/** Events that neither a reader nor the next model request needs, and the field the program writes first. */
const SKIPPED = new Map([
  ["system.message", "role"],
  ["session.binary_asset", "assetId"],
  ["session.shutdown", "accountingSnapshot"],
  ["tool.execution_start", "toolCallId"],
  ["assistant.turn_start", "turnId"],
  ["assistant.turn_end", "turnId"],
]);
const RESULT = "tool.execution_complete";

const USUAL_HEAD = /^\{"type":"([a-z_.]+)","data":\{"(\w+)":/;
/** How the program itself ends a line: with these ends in place the envelope is sound. */
const USUAL_TAIL =
  /,"id":"([0-9a-f-]{36})","timestamp":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","parentId":(?:null|"[0-9a-f-]{36}")\}\r?$/;
const TAIL_LENGTH = 170;

/** Results in lines of up to `long` bytes are not for skimming. */
export function skim(bytes: Buffer, long: number): Skimmed | undefined {
  const head = USUAL_HEAD.exec(bytes.toString("latin1", 0, 80));
  if (!head) return undefined;
  const [, type = "", field = ""] = head;
  const isResult = type === RESULT && field === "toolCallId" && bytes.length > long;
  if (!isResult && SKIPPED.get(type) !== field && !isUndeclared(type)) return undefined;
  const tail = USUAL_TAIL.exec(bytes.toString("latin1", Math.max(0, bytes.length - TAIL_LENGTH)));
  if (!tail) return undefined;
  const [, id = "", time = ""] = tail;
  if (!isResult) return { time };
  const begun = beginResult(bytes);
  if (!begun) return undefined;
  return { record: { type, data: begun.data, id, time, ephemeral: false }, cut: begun.cut, time };
}

const CONTENT = Buffer.from('"success":true,"result":{"content":"');
/** The same again for people; as every quote inside a text has a backslash before it, this cannot stand in one. */
const DETAIL = Buffer.from('","detailedContent":"');
/** What is read of a long result, in bytes. */
const BEGINNING = 1024;
/** The fields before a result are few and short. */
const FIELDS_LENGTH = 2048;

function beginResult(bytes: Buffer): { data: JsonObject; cut: number } | undefined {
  const mark = bytes.subarray(0, FIELDS_LENGTH).indexOf(CONTENT);
  if (mark < 0) return undefined;
  const start = mark + CONTENT.length;
  const end = endOfText(bytes, start, start + BEGINNING);
  if (bytes[end] === QUOTE) return undefined;
  let fields: JsonObject;
  let content: string;
  try {
    fields = (JSON.parse(`${bytes.toString("utf8", 0, mark)}"success":true}}`) as { data: JsonObject }).data;
    content = JSON.parse(`"${bytes.toString("utf8", start, end)}"`) as string;
  } catch {
    return undefined; // not what it looked like: whoever parses the whole line will say what is wrong
  }
  const detail = bytes.indexOf(DETAIL, end);
  // What was edited is told by the fields behind the result.
  if (asString(fields.toolCallId) === undefined || fields.fileEdits !== undefined) return undefined;
  return { data: { ...fields, result: { content } }, cut: (detail < 0 ? bytes.length : detail) - end };
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
