/** The lines of a mutation log as records, however long they are. */
import { eachLine, type Line } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { decodeLine, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { Path } from "./json-outline.ts";
import { readLongLines } from "./long-line.ts";
import type { Fault } from "./parsed-session.ts";
import { type Brought, KIND, type LogRecord, originIn, TURNS } from "./record.ts";
import { salvage } from "./salvage.ts";

export interface LogOptions {
  readonly maxLine: number;
  /** False leaves values in the file, to be read again turn by turn. */
  readonly hold: boolean;
}

type Visit = (record: LogRecord | undefined, fault: Fault | undefined) => void;

/** Calls `visit` with every record in order, or with the fault that stands in its place. */
export async function eachRecord(
  fs: SessionFs,
  path: string,
  options: LogOptions,
  visit: Visit,
): Promise<void> {
  const { maxLine, hold } = options;
  // Lines beyond the limit are looked at first: their outline takes waiting, and lines are visited without.
  const long = await readLongLines(fs, path, maxLine);
  const visitLine = (line: Line): void => {
    const found = long.get(line.start);
    if (found) visit(found.record, found.fault);
    else visitRecord(line, hold, visit);
  };
  await eachLine(fs, path, visitLine, { maxLine, skipLong: true });
}

/** The same for a line that is held. */
export function visitRecord(line: Line, hold: boolean, visit: Visit): void {
  // Whoever changes a chat writes these values again; readers cut what is nested too deeply turn by turn.
  const decoded = decodeLine(line, true);
  if (decoded.kind === "record") {
    visit(toRecord(line, decoded.record, hold), faultOf(line, decoded.replaced));
  } else if (decoded.kind === "bad") {
    const fault = { code: decoded.code, line: line.number, message: decoded.why };
    // A session is often one single record; what is whole of it is worth more than nothing.
    const rest = STARTS_INITIAL.test(line.bytes.subarray(0, 40).toString("latin1"))
      ? salvage(line.bytes)
      : undefined;
    visit(isObject(rest) ? toRecord(line, rest, hold) : undefined, fault);
  } else if (line.bytes.length > 0) {
    visit(undefined, { code: "record-unreadable", line: line.number, message: "the line has only spaces" });
  }
}

const STARTS_INITIAL = /^\s*\{\s*"kind"\s*:\s*0\s*,/;

function faultOf(line: Line, replaced: boolean): Fault | undefined {
  if (line.end - line.start > line.bytes.length) {
    const message = "there is a byte order mark before the first record";
    return { code: "record-unreadable", line: line.number, message };
  }
  if (!replaced) return undefined;
  return { code: "record-encoding", line: line.number, message: "the line has bytes that are not UTF-8" };
}

const VALUE: Path = ["v"];

/**
 * No more than its place would take. A copy has new ids for all its turns at its end, far from what they are ids of: to read
 * each there would cost more than all else.
 */
const isSmall = (line: Line, value: unknown): boolean =>
  line.bytes.length <= SHORT && (typeof value !== "object" || value === null);
export const SHORT = 200;

function toRecord(line: Line, record: JsonObject, hold: boolean): LogRecord {
  const { kind, k, v, i } = record;
  const bring = (at: Path, value: unknown): Brought => {
    const origin = originIn(line, at);
    return { held: hold || isSmall(line, value) ? { value } : origin, origin };
  };
  const list = kind === KIND.initial ? (isObject(v) ? v[TURNS] : undefined) : v;
  const base = kind === KIND.initial ? ["v", TURNS] : ["v"];
  const elements = Array.isArray(list)
    ? list.map((value, index) => bring([...base, index], value))
    : undefined;
  return {
    line,
    kind,
    path: k,
    keep: i,
    value: v,
    brings: v === undefined ? undefined : bring(VALUE, v),
    ...(elements && { elements }),
  };
}
