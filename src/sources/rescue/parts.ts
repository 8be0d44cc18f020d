/** Splits damaged lines into whole records, the starts of records, and the rest. */
import type { JsonObject } from "../log/jsonl.ts";
import { parseObject, toOneLine } from "./json.ts";
import { createScan, type Scan } from "./scan.ts";

export interface Part {
  readonly kind: "record" | "torn" | "other";
  /** Within the bytes that were given. */
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
  /** Of records: valid JSON on one line. */
  readonly text: string;
  /** Nothing else stands on its line. */
  readonly isAlone: boolean;
}

/** How the records of a program are told from other objects. */
export interface RecordShape {
  /** With the flag `g`: how a record begins. */
  readonly begins: RegExp;
  /** An object inside of a record may look like one, but has not all that this asks for. */
  isRecord(value: JsonObject): boolean;
}

export const partsOf = (bytes: Buffer, shape: RecordShape): Part[] => splitRecords(bytes, shape).parts;

/** The parts in their order, and how many characters were looked at for them. */
export function splitRecords(
  bytes: Buffer,
  shape: RecordShape,
): { readonly parts: Part[]; readonly work: number } {
  const scan = createScan(bytes.toString("latin1"), shape.begins);
  const parts: Part[] = [];
  const { length } = scan.view;
  for (let at = behindSpace(scan.view, 0); at < length; at = behindSpace(scan.view, at)) {
    const part = recordAt(bytes, scan, at, shape) ?? fragmentAt(bytes, scan, at);
    parts.push(part);
    at = part.end;
  }
  return { parts, work: scan.work };
}

/** White space, byte order marks and the separators U+2028 and U+2029, byte for byte; between records they say nothing. */
function behindSpace(view: string, from: number): number {
  for (let at = from; ; ) {
    const character = view[at];
    if (character === undefined) return at;
    if (/\s/.test(character)) at++;
    else if (SEPARATORS.has(view.slice(at, at + 3))) at += 3;
    else return at;
  }
}
const SEPARATORS = new Set(["\xef\xbb\xbf", "\xe2\x80\xa8", "\xe2\x80\xa9"]);

function recordAt(bytes: Buffer, scan: Scan, start: number, { isRecord }: RecordShape): Part | undefined {
  const { view } = scan;
  const end = view[start] === "{" ? scan.endOfObject(start) : -1;
  if (end < 0) return undefined;
  scan.spend(end - start);
  const slice = bytes.subarray(start, end);
  const text = toOneLine(slice.toString("utf8"));
  const record = parseObject(text);
  const isAlone = standsAlone(view, start, end);
  return record && (isAlone || isRecord(record))
    ? { kind: "record", start, end, bytes: slice, text, isAlone }
    : undefined;
}

/** Up to where something else begins. What may be the rest of a text has the spaces before it. */
function fragmentAt(bytes: Buffer, scan: Scan, begin: number): Part {
  const { view } = scan;
  let nuls = begin;
  while (view[nuls] === "\0") nuls++;
  let start = begin;
  if (view[begin] !== "{" && nuls === begin) while (" \t".includes(view[start - 1] ?? "-")) start--;
  const end =
    nuls > begin ? nuls : Math.min(scan.nextFeed(begin), scan.nextNul(begin), scan.nextRecord(begin + 1));
  const slice = bytes.subarray(start, end);
  return {
    kind: scan.isRecordAt(start) ? "torn" : "other",
    start,
    end,
    bytes: slice,
    text: slice.toString("utf8"),
    isAlone: standsAlone(view, start, end),
  };
}

const standsAlone = (view: string, start: number, end: number): boolean =>
  (start === 0 || view[start - 1] === "\n") && /^\r?(?:\n|$)/.test(view.slice(end, end + 2));

/** Longer ones are not put together: it is tried with several parts behind each that is torn. */
const LONGEST_JOINED = 16 << 20;

/** What was written between its two halves kept them apart. */
export function joined(torn: Part, rest: Part, { isRecord }: RecordShape): string | undefined {
  if (torn.bytes.length + rest.bytes.length > LONGEST_JOINED) return undefined;
  const text = toOneLine(Buffer.concat([torn.bytes, rest.bytes]).toString("utf8"));
  const record = parseObject(text);
  return record && isRecord(record) ? text : undefined;
}

/** The bytes that are not UTF-8, as ranges. */
export function foreignBytes(
  bytes: Buffer,
  isUtf8: (part: Buffer) => boolean,
): [start: number, end: number][] {
  if (isUtf8(bytes)) return [];
  const ranges: [number, number][] = [];
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0x80 || (at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)))) {
      at += length;
      continue;
    }
    const last = ranges.at(-1);
    if (last?.[1] === at) last[1]++;
    else ranges.push([at, at + 1]);
    at++;
  }
  return ranges;
}
