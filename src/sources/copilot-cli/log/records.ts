/** One line of events.jsonl: its type found by bytes, its record, and what Copilot CLI would say about it. */

import type { ProblemCode } from "../../../model/problem.ts";
import { isNewerThan } from "../../../model/session/newer.ts";
import { isOddTime, isTimely, toIso } from "../../../model/values/time.ts";
import type { Line } from "../../../platform/fs/lines.ts";
import {
  asObject,
  asString,
  type Decoded,
  decodeLine,
  type JsonObject,
  TOO_DEEP_TO_SHOW,
} from "../../log/jsonl.ts";
import { findTail } from "./envelope.ts";
import { isKnownType } from "./event-types.ts";
import { plainRecord } from "./plain-record.ts";
import { skimmedRecord, timeOfUnwanted } from "./skim.ts";
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

/** The last version of logs that we know. Types of events that we do not know are no matter: newer programs add some. */
const KNOWN = 1;

export const isNewerStart = ({ type, data }: Pick<CopilotRecord, "type" | "data">): boolean =>
  type === "session.start" && isNewerThan(data.version, KNOWN);

export interface Fault {
  readonly code: ProblemCode;
  readonly why: string;
}

/** A line may hold a usable record and still be at fault; a skipped line tells no more than its time. */
export interface Judged {
  readonly record?: CopilotRecord;
  readonly fault?: Fault;
  readonly time?: string;
  /** Bytes that were left out of the record. */
  readonly cut?: number;
  /** It names a time that cannot be true. */
  readonly hasOddTime?: true;
}

export const NOT_UTF8: Fault = {
  code: "record-encoding",
  why: "the line has bytes that are not UTF-8; Copilot CLI drops it",
};
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** What is left unparsed: unwanted lines, or also all but the start of tool output. */
export type Skim = "unwanted" | "results";

export function judge(line: Line, skim?: Skim): Judged {
  if (skim !== undefined) {
    const time = timeOfUnwanted(line.bytes, 0, line.bytes.length);
    if (time !== undefined) return { time };
    const skimmed = skim === "results" ? skimmedRecord(line.bytes) : undefined;
    if (skimmed) return skimmed;
  }
  const record = plainRecord(line, skim === "results");
  return record ? { record } : judgeWhole(line);
}

/** The long way to what `judge` says, whatever the line is like. */
export function judgeWhole(line: Line): Judged {
  const decoded = decode(line);
  if (decoded.kind === "blank") return {};
  if (decoded.kind === "bad") return { fault: decoded };
  if (decoded.replaced) {
    const record = toRecord(decoded.record);
    return { ...(record && isKnownType(record.type) && { record }), fault: NOT_UTF8 };
  }
  const judged = judgeRecord(decoded.record, findTail(line.bytes, 0, line.bytes.length) >= 0);
  return decoded.isCut && !judged.fault
    ? { ...judged, fault: { code: "too-deep", why: TOO_DEEP_TO_SHOW } }
    : judged;
}

/**
 * The record of a line, for who only asks what the model hears: lines whose type it never hears have none, and whether the
 * program would refuse a record is not asked.
 */
export function heardRecord(line: Line): CopilotRecord | undefined {
  const decoded = isUnwanted(line.bytes, 0, line.bytes.length) ? undefined : decode(line);
  // The program drops a line that is not UTF-8.
  if (decoded?.kind !== "record" || decoded.replaced) return undefined;
  const record = toRecord(decoded.record);
  return record && isKnownType(record.type) ? record : undefined;
}

/** A cheap check of a line from its bytes. */
export const isUnwanted = (bytes: Buffer, start: number, end: number): boolean =>
  timeOfUnwanted(bytes, start, end) !== undefined;

/** A mark in the middle of a file (logs pasted together) is tolerated by the program; JSON.parse would not. */
export function decode(line: Line): Decoded {
  const marked = line.bytes[0] === BOM[0] && line.bytes.subarray(0, 3).equals(BOM);
  return decodeLine(marked ? { ...line, bytes: line.bytes.subarray(3) } : line);
}

/** The same for callers that already have the text; `hasUsualEnd` as in `whyRefused`. */
export function judgeRecord(raw: JsonObject, hasUsualEnd = false): Judged {
  const record = toRecord(raw);
  if (!record) return { fault: { code: "record-unknown", why: "a record without an event type" } };
  if (!isKnownType(record.type))
    return { fault: { code: "record-unknown", why: `unknown event type "${record.type}"` } };
  const why = whyRefused(raw, hasUsualEnd);
  const odd =
    isOddTimestamp(raw.timestamp) || isOddTime(record.data.startTime) ? ({ hasOddTime: true } as const) : {};
  return why === undefined ? { record, ...odd } : { record, ...odd, fault: { code: "record-invalid", why } };
}

/** A time as the program writes it is compared as text; to make a date of each would take as long as to parse its record. */
const isOddTimestamp = (value: unknown): boolean =>
  isPlainTime(value) ? !isTimely(value) : isOddTime(value);

function toRecord(raw: JsonObject): CopilotRecord | undefined {
  const type = asString(raw.type);
  if (type === undefined) return undefined;
  const id = asString(raw.id);
  const { timestamp } = raw;
  const time = isPlainTime(timestamp) && isTimely(timestamp) ? timestamp : toIso(timestamp);
  const agentId = asString(raw.agentId);
  const data = asObject(raw.data) ?? {};
  const ephemeral = raw.ephemeral === true;
  // Nearly all records are of the first kind; spreading each field that may be absent takes longer than parsing some.
  if (id !== undefined && time !== undefined && agentId === undefined)
    return { type, data, ephemeral, id, time };
  return {
    type,
    data,
    ephemeral,
    ...(id !== undefined && { id }),
    ...(time !== undefined && { time }),
    ...(agentId !== undefined && { agentId }),
  };
}

/** Not the work of a sub-agent. */
export const isMain = (record: CopilotRecord): boolean =>
  record.agentId === undefined && asString(record.data.parentToolCallId) === undefined;
