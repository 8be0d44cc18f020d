/** One line of events.jsonl: its type found by bytes, its record, and what Copilot CLI would say about it. */
import type { ProblemCode } from "../../model/problem.ts";
import type { Line } from "../../platform/lines.ts";
import { asObject, asString, decodeLine, type JsonObject, toIso } from "../jsonl.ts";
import { isKnownType, isUndeclared } from "./shapes.ts";
import { isPlainTime, whyRefused } from "./validate.ts";

export interface CopilotRecord {
  readonly type: string;
  readonly data: JsonObject;
  readonly id?: string;
  /** ISO 8601, in UTC. */
  readonly time?: string;
  /** Set on the work of a sub-agent. */
  readonly agentId?: string;
  readonly ephemeral: boolean;
}

export interface Fault {
  readonly code: ProblemCode;
  readonly why: string;
}

/** A line may hold a usable record and still be at fault; a skipped line tells no more than its time. */
export interface Judged {
  readonly record?: CopilotRecord;
  readonly fault?: Fault;
  readonly time?: string;
}

/** Bulky events that neither a reader nor the next model request needs, and the field the program writes first. */
const SKIPPED = new Map([
  ["system.message", "role"],
  ["session.binary_asset", "assetId"],
  ["session.shutdown", "accountingSnapshot"],
  ["tool.execution_start", "toolCallId"],
]);

/** How the program itself ends a line: with these ends in place the envelope is sound without parsing it. */
const USUAL_TAIL =
  /,"id":"[0-9a-f-]{36}","timestamp":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","parentId":(?:null|"[0-9a-f-]{36}")\}\r?$/;
const TAIL_LENGTH = 170;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

export function judge(line: Line, skim: boolean): Judged {
  const skipped = skim ? skip(line.bytes) : undefined;
  if (skipped) return skipped;
  // A mark in the middle of a file (logs pasted together) is tolerated by the program; JSON.parse would not.
  const marked = line.bytes.subarray(0, 3).equals(BOM);
  const decoded = decodeLine(marked ? { ...line, bytes: line.bytes.subarray(3) } : line);
  if (decoded.kind === "blank") return {};
  if (decoded.kind === "bad") return { fault: decoded };
  const record = toRecord(decoded.record);
  if (decoded.replaced) {
    const why = "the line holds bytes that are not UTF-8; Copilot CLI drops it";
    return { ...(record && isKnownType(record.type) && { record }), fault: { code: "record-encoding", why } };
  }
  if (!record) return { fault: { code: "record-unknown", why: "a record without an event type" } };
  if (!isKnownType(record.type))
    return { fault: { code: "record-unknown", why: `unknown event type "${record.type}"` } };
  const why = whyRefused(decoded.record);
  return why === undefined ? { record } : { record, fault: { code: "record-invalid", why } };
}

/** Below this, parsing costs less than it could ever save, and sees more. */
const WORTH_SKIPPING = 1024;

/** A line that can be left unparsed: it has the program's own layout at both ends, and no one wants what is between. */
function skip(bytes: Buffer): Judged | undefined {
  if (bytes.length < WORTH_SKIPPING) return undefined;
  const head = /^\{"type":"([a-z_.]+)","data":\{"(\w+)":/.exec(bytes.toString("latin1", 0, 80));
  const [type = "", field] = head?.slice(1) ?? [];
  const isUsual = isUndeclared(type) || (field !== undefined && SKIPPED.get(type) === field);
  if (!isUsual) return undefined;
  const time = USUAL_TAIL.exec(bytes.toString("latin1", Math.max(0, bytes.length - TAIL_LENGTH)))?.[1];
  return time === undefined ? undefined : { time };
}

function toRecord(raw: JsonObject): CopilotRecord | undefined {
  const type = asString(raw.type);
  if (type === undefined) return undefined;
  const id = asString(raw.id);
  const time = isPlainTime(raw.timestamp) ? raw.timestamp : toIso(raw.timestamp);
  const agentId = asString(raw.agentId);
  return {
    type,
    data: asObject(raw.data) ?? {},
    ephemeral: raw.ephemeral === true,
    ...(id !== undefined && { id }),
    ...(time !== undefined && { time }),
    ...(agentId !== undefined && { agentId }),
  };
}

/** Not the work of a sub-agent. */
export const isMain = (record: CopilotRecord): boolean =>
  record.agentId === undefined && asString(record.data.parentToolCallId) === undefined;
