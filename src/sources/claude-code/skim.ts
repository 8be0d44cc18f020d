/**
 * Reads only as much of a bulky line as makes an event: long strings are cut before the line is parsed. For readers that
 * asked to skim, because damage inside what is cut goes unseen.
 */
import { isUtf8 } from "node:buffer";
import { readNested } from "../../model/values/json.ts";
import type { Line } from "../../platform/fs/lines.ts";
import { BACKSLASH, closes, isEscaped, QUOTE, startOfBackslashes } from "../../platform/json/bytes.ts";
import { asArray, asObject, type Decoded, decodeLine, isObject, type JsonObject } from "../log/jsonl.ts";
import { isIdleNote } from "./records.ts";
import { saysNothing } from "./tree/rows.ts";

type Unread = Exclude<Decoded, { kind: "record" }>;
export interface DecodedRecord {
  readonly kind: "record";
  readonly record: JsonObject;
  readonly replaced: boolean;
  /** What is nested too deeply was left out. */
  readonly isCut: boolean;
  /** Bytes of text that were left out. */
  readonly cut: number;
  /** Bytes that were parsed. */
  readonly size: number;
}
export type Decode = (line: Line) => DecodedRecord | Unread;

export const decodeWhole: Decode = (line) => {
  const decoded = decodeLine(line);
  if (decoded.kind !== "record") return decoded;
  const { record, replaced, isCut } = decoded;
  return { kind: "record", record, replaced, isCut, cut: line.cut, size: line.bytes.length };
};

/** Lines of up to `long` bytes are parsed whole. */
export const decodeSkimming =
  (long: number): Decode =>
  (line) =>
    (line.bytes.length > long ? skim(line) : undefined) ?? decodeWhole(line);

/** What is read of a long text, in bytes. */
const BEGINNING = 1024;
/** And of any other long string; a result stands in its row twice, for the model and for people. */
const TRACE = 64;
/** A row names its kind or its speaker near its beginning. */
const HEAD = 320;
const NOTE = /^\{"type":"([a-z-]+)",/;

function skim(line: Line): DecodedRecord | undefined {
  const { bytes } = line;
  const head = bytes.toString("latin1", 0, HEAD);
  const type = NOTE.exec(head)?.[1];
  if (type !== undefined && isIdleNote(type) && line.ended)
    return { kind: "record", record: { type }, replaced: false, isCut: false, cut: 0, size: 0 };
  if (head.includes('"role":"assistant"')) return undefined;
  const short = cutStrings(bytes);
  if (!short) return undefined;
  let record: unknown;
  let isCut: boolean;
  try {
    ({ value: record, isCut } = readNested(short.text));
  } catch {
    return undefined; // whoever parses the whole line will say what is wrong
  }
  if (!isObject(record) || !isBulky(record, short.cut)) return undefined;
  const replaced = short.text.includes("\ufffd") && !isUtf8(bytes);
  return { kind: "record", record, replaced, isCut, cut: line.cut + short.cut, size: short.text.length };
}

/** What people and models said is never cut, and a result only at its end. */
function isBulky(record: JsonObject, cut: number): boolean {
  if (record.type !== "user") return saysNothing(record);
  const blocks = asArray(asObject(record.message)?.content);
  if (!blocks.some((block) => isObject(block) && block.type === "tool_result")) return false;
  // How long a new file is, its content alone tells.
  if (asObject(record.toolUseResult)?.type === "create") return false;
  return cut === 0 || (blocks.length === 1 && asArray(asObject(blocks[0])?.content).length < 2);
}

/** A line with the ends of its long strings left out; nothing if it has none. `cut` counts the bytes of the first text. */
function cutStrings(bytes: Buffer): { text: string; cut: number } | undefined {
  let text = "";
  let taken = 0;
  let cut = 0;
  for (let open = bytes.indexOf(QUOTE); open >= 0; ) {
    let close = closeOfShort(bytes, open);
    if (close < 0) {
      const isFirst = cut === 0 && isText(bytes, open);
      const end = cutPlace(bytes, open + 1, open + (isFirst ? BEGINNING : TRACE));
      close = endOfLong(bytes, end);
      if (close < 0) return undefined;
      text += bytes.toString("utf8", taken, end);
      taken = close;
      if (isFirst) cut = close - end;
    }
    open = nextQuote(bytes, close + 1);
  }
  return taken === 0 ? undefined : { text: text + bytes.toString("utf8", taken, bytes.length), cut };
}

/** The quote that ends a string of no more than what is read of a long one; -1 where there is none. */
function closeOfShort(bytes: Buffer, open: number): number {
  for (let at = open + 1; at < open + SHORT; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) break;
  }
  const close = closingQuote(bytes, open + 1, open + BEGINNING);
  return close > open + BEGINNING ? -1 : close;
}

/** Most strings, and what stands between two, are so short that calling a search takes longer than looking at each byte. */
const SHORT = 64;

function nextQuote(bytes: Buffer, from: number): number {
  for (let at = from; at < from + SHORT; at++) if (bytes[at] === QUOTE) return at;
  return bytes.indexOf(QUOTE, from);
}

/** The quote that ends a string, or any quote behind `limit`. */
function closingQuote(bytes: Buffer, from: number, limit = Number.POSITIVE_INFINITY): number {
  let quote = bytes.indexOf(QUOTE, from);
  while (quote > from && quote <= limit && isEscaped(bytes, quote, from))
    quote = bytes.indexOf(QUOTE, quote + 1);
  return quote;
}

/** In a text a backslash stands before every quote, so these are in none, unless its last character begins one. */
const NEXT_KEY = Buffer.from(',"');
const NEXT_OBJECT = Buffer.from('{"');
const NEXT_LIST = Buffer.from('["');

/**
 * The quote that ends a long string, found at one go where a key follows in the same object or one around it: the text
 * may hold hundreds of quotes of its own.
 */
function endOfLong(bytes: Buffer, from: number): number {
  const comma = bytes.indexOf(NEXT_KEY, from);
  let quote = comma - 1;
  while (quote > from && closes(bytes[quote] as number)) quote--;
  if (quote <= from || bytes[quote] !== QUOTE || isEscaped(bytes, quote, from))
    return closingQuote(bytes, from);
  const passed = bytes.subarray(from, quote);
  // Another string may begin behind ours without a comma right before it.
  const isOurs = passed.indexOf(NEXT_OBJECT) < 0 && passed.indexOf(NEXT_LIST) < 0;
  return isOurs ? quote : closingQuote(bytes, from);
}

/** The last place before `limit` that is inside no character and no escape sequence, which has six bytes at most. */
function cutPlace(bytes: Buffer, from: number, limit: number): number {
  let end = limit;
  while (end > from && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  for (let at = end - 1; at >= from && at > end - 6; at--)
    if (bytes[at] === BACKSLASH) return startOfBackslashes(bytes, at + 1, from);
  return end;
}

/** Where the same result begins for people. */
const DETAILS = Buffer.from('"toolUseResult":');

const isText = (bytes: Buffer, open: number): boolean =>
  /"(?:content|text)"\s*:\s*$/.test(bytes.toString("latin1", Math.max(0, open - 16), open)) &&
  !bytes.subarray(0, open).includes(DETAILS);
