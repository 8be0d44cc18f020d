/** Parts damaged lines: whole records, the beginnings of some, and what is neither. */
import { asString, type JsonObject } from "../../jsonl.ts";
import { endOfObject, isRecordAt, nextRecord, parseObject, toOneLine } from "./rescue-json.ts";

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

/** Byte order marks and the separators U+2028 and U+2029, byte for byte; between records they say nothing. */
const BETWEEN = /(?:\s|\xef\xbb\xbf|\xe2\x80[\xa8\xa9])*/y;
const NULS = /\0+/y;

export function partsOf(bytes: Buffer): Part[] {
  const view = bytes.toString("latin1");
  const parts: Part[] = [];
  const match = (pattern: RegExp, at: number): number => {
    pattern.lastIndex = at;
    return at + (pattern.exec(view)?.[0].length ?? 0);
  };
  for (let at = match(BETWEEN, 0); at < view.length; at = match(BETWEEN, at)) {
    const part = recordAt(bytes, view, at) ?? fragmentAt(bytes, view, at, match(NULS, at));
    parts.push(part);
    at = part.end;
  }
  return parts;
}

function recordAt(bytes: Buffer, view: string, start: number): Part | undefined {
  const end = view[start] === "{" ? endOfObject(view, start) : -1;
  if (end < 0) return undefined;
  const slice = bytes.subarray(start, end);
  const text = toOneLine(slice.toString("utf8"));
  const record = parseObject(text);
  const isAlone = standsAlone(view, start, end);
  return record && (isAlone || isRecord(record))
    ? { kind: "record", start, end, bytes: slice, text, isAlone }
    : undefined;
}

/** Up to where something else begins. What may be the rest of a text has the spaces before it. */
function fragmentAt(bytes: Buffer, view: string, begin: number, nuls: number): Part {
  let start = begin;
  if (view[begin] !== "{" && nuls === begin) while (" \t".includes(view[start - 1] ?? "-")) start--;
  const feed = view.indexOf("\n", begin);
  const line = view.slice(start, feed < 0 ? view.length : feed);
  const nul = line.indexOf("\0");
  const end =
    nuls > begin ? nuls : start + Math.min(nul < 0 ? line.length : nul, nextRecord(line, begin - start + 1));
  const slice = bytes.subarray(start, end);
  return {
    kind: isRecordAt(view, start) ? "torn" : "other",
    start,
    end,
    bytes: slice,
    text: slice.toString("utf8"),
    isAlone: standsAlone(view, start, end),
  };
}

const standsAlone = (view: string, start: number, end: number): boolean =>
  (start === 0 || view[start - 1] === "\n") && /^\r?(?:\n|$)/.test(view.slice(end, end + 2));

/** An object inside of a record may have a type as well, but none of these beside it. */
const isRecord = (value: JsonObject): boolean =>
  asString(value.type) !== undefined && ("data" in value || "timestamp" in value || "parentId" in value);

/** What was written between its two halves kept them apart. */
export function joined(torn: Part, rest: Part): string | undefined {
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
