/** The lines of a mutation log as records, however long they are. */
import type { Line } from "../../platform/lines.ts";
import { eachLine } from "../../platform/lines.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { decodeLine, isObject, type JsonObject } from "../jsonl.ts";
import { type Path, type Span, salvage } from "./json-outline.ts";
import { createLoad, outlineRange } from "./load.ts";
import type { Fault, Held } from "./told.ts";

/** What each kind of record does. */
export const KIND = { initial: 0, set: 1, push: 2, delete: 3 } as const;
/** The one list whose elements may be left in the file. */
export const TURNS = "requests";

export interface LogRecord {
  readonly line: Line;
  readonly kind: unknown;
  readonly path: unknown;
  /** For a push: the length that the array is cut to first. */
  readonly keep: unknown;
  /** What the record brings; turns that were left in the file are not in it. */
  readonly value: unknown;
  /** What it brings, in hand or by its place; undefined when it brings nothing. */
  readonly held: Held | undefined;
  /** The turns of an initial record, or the elements of any list. */
  readonly elements?: readonly Element[];
}

export interface Element {
  readonly held: Held;
  /** Its path in the record. */
  readonly at: Path;
}

export interface LogOptions {
  readonly maxLine: number;
  /** False leaves values in the file, to be read again turn by turn. */
  readonly hold: boolean;
}

/** Calls `visit` with every record in order, or with the fault that stands in its place. */
export async function eachRecord(
  fs: SessionFs,
  path: string,
  options: LogOptions,
  visit: (record: LogRecord | undefined, fault: Fault | undefined) => void,
): Promise<void> {
  const { maxLine, hold } = options;
  // Lines beyond the limit are looked at first: their outline takes waiting, and lines are visited without.
  const long = await readLongLines(fs, path, maxLine);
  const visitLine = (line: Line): void => {
    const found = long.get(line.start);
    if (found) {
      visit(found.record, found.fault);
      return;
    }
    const decoded = decodeLine(line);
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
      visit(undefined, {
        code: "record-unreadable",
        line: line.number,
        message: "the line holds only spaces",
      });
    }
  };
  await eachLine(fs, path, visitLine, { maxLine, skipLong: true });
}

const STARTS_INITIAL = /^\s*\{\s*"kind"\s*:\s*0\s*,/;

function faultOf(line: Line, replaced: boolean): Fault | undefined {
  if (line.end - line.start > line.bytes.length) {
    const message = "a byte order mark stands before the first record";
    return { code: "record-unreadable", line: line.number, message };
  }
  if (!replaced) return undefined;
  return { code: "record-encoding", line: line.number, message: "the line holds bytes that are not UTF-8" };
}

function toRecord(line: Line, record: JsonObject, hold: boolean): LogRecord {
  const { kind, k, v, i } = record;
  const held = (at: Path, value: unknown): Held =>
    hold ? { value } : { start: line.start, end: line.end, pick: at };
  const list = kind === KIND.initial ? (isObject(v) ? v[TURNS] : undefined) : v;
  const base = kind === KIND.initial ? ["v", TURNS] : ["v"];
  const elements = Array.isArray(list)
    ? list.map((value, index): Element => ({ held: held([...base, index], value), at: [...base, index] }))
    : undefined;
  return {
    line,
    kind,
    path: k,
    keep: i,
    value: v,
    held: v === undefined ? undefined : held(["v"], v),
    ...(elements && { elements }),
  };
}

interface LongLine {
  readonly record: LogRecord | undefined;
  readonly fault: Fault | undefined;
}

async function readLongLines(fs: SessionFs, path: string, maxLine: number): Promise<Map<number, LongLine>> {
  const lines: Line[] = [];
  if ((await fs.stat(path)).size > maxLine) {
    const keepLong = (line: Line): void => void (line.end - line.start > maxLine && lines.push(line));
    await eachLine(fs, path, keepLong, { maxLine, skipLong: true });
  }
  const found = new Map<number, LongLine>();
  for (const line of lines) found.set(line.start, await readLongLine(fs, path, line, maxLine));
  return found;
}

const entersTurns = (path: Path): boolean =>
  path.length === 0 || (path[0] === "v" && (path.length === 1 || (path.length === 2 && path[1] === TURNS)));

async function readLongLine(fs: SessionFs, path: string, line: Line, maxLine: number): Promise<LongLine> {
  const load = createLoad(fs, path, maxLine);
  const outline = await outlineRange(fs, path, line, entersTurns);
  const valueAt = async (span: Span | undefined): Promise<unknown> =>
    span && (await load({ start: span.start, end: span.end, pick: [] })).value;
  const at = (...steps: Path): Span | undefined =>
    outline.spans.find(
      (span) => span.path.length === steps.length && steps.every((s, i) => span.path[i] === s),
    );
  const [kind, k, keep] = [await valueAt(at("kind")), await valueAt(at("k")), await valueAt(at("i"))];
  const whole = at("v");
  const depth = kind === KIND.initial ? 3 : 2;
  const turns = [...outline.spans, ...(outline.open ? [outline.open] : [])].filter(
    ({ path }) => path.length === depth && typeof path.at(-1) === "number",
  );
  let value: unknown;
  if (kind === KIND.initial) {
    const head: JsonObject = {};
    for (const span of outline.spans) {
      if (span.path.length === 2 && span.path[1] !== TURNS) head[String(span.path[1])] = await valueAt(span);
    }
    value = head;
  } else if (!Array.isArray(k) || k[0] !== TURNS) value = await valueAt(whole);
  const isList = turns.length > 0 || at("v", TURNS) !== undefined;
  const record: LogRecord = {
    line,
    kind,
    path: k,
    keep,
    value,
    held: whole && { start: whole.start, end: whole.end, pick: [] },
    ...(isList && {
      elements: turns.map((span) => ({
        held: { start: span.start, end: span.end, pick: [] },
        at: span.path,
      })),
    }),
  };
  if (outline.whole) return { record, fault: undefined };
  const fault: Fault = line.ended
    ? { code: "record-unreadable", line: line.number, message: "the line is not valid JSON" }
    : { code: "record-torn", line: line.number, message: "the last line stops in the middle of a record" };
  return { record: kind === KIND.initial ? record : undefined, fault };
}
