/**
 * Takes pictures out of texts before they leave the machine: what a screenshot shows no rule can read. Also sound, films, PDF
 * and other files that logs hold as base64 or as numbers. A placeholder of the same format stands in their place, so that JSON
 * stays JSON, however deep it was quoted, and the vendor's program still takes the message.
 */
import { memberOf } from "../values/member.ts";
import { eachJsonText } from "./json-texts.ts";
import {
  BEFORE,
  BEGINNINGS,
  FIRST_NUMBER,
  formatOf,
  formatOfType,
  type MediaFormat,
  placeholderOf,
} from "./media-formats.ts";

export interface PictureRemover {
  /** The text without pictures: a line of a log, a document, or any other text. */
  from(text: string): string;
  /** What comes next is another log. */
  endLines(): void;
  /** How many were taken out since it was asked last. */
  counted(): number;
}

interface Picture {
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

export function createPictureRemover(): PictureRemover {
  let count = 0;
  /** By the paths of texts that a picture ran to the end of: it may go on in the next such text. */
  let open = new Set<string>();
  return {
    from(text) {
      const whole = [...inBase64(text), ...besideType(text), ...asNumbers(text)];
      const goesOn = whole.some(({ end }) => text[end] === '"');
      const rests = goesOn || open.size > 0 ? restsIn(text, whole, open) : [];
      const pictures = [...whole, ...rests].sort((a, b) => a.start - b.start || b.end - a.end);
      let out = "";
      let at = 0;
      for (const { start, end, instead } of pictures) {
        if (start < at) continue;
        out += text.slice(at, start) + instead;
        at = end;
        if (instead !== "") count++;
      }
      return at === 0 ? text : out + text.slice(at);
    },
    endLines() {
      open = new Set();
    },
    counted() {
      const counted = count;
      count = 0;
      return counted;
    },
  };
}

/** What continues a picture of a text before, in chunks of one record or of consecutive ones. Keeps `open` up to date. */
function restsIn(text: string, whole: readonly Picture[], open: Set<string>): Picture[] {
  const ends = new Set(whole.map(({ end }) => end));
  const starts = new Set(whole.map(({ start }) => start));
  const rests: Picture[] = [];
  eachJsonText(text, ({ start, end, isName, path }) => {
    if (isName) return;
    const restEnd = open.has(path) && !starts.has(start) ? endOfRun(text, start) : start;
    const isRest = restEnd - start >= SHORTEST_REST && looksMixed(text.slice(start, start + SHORTEST_REST));
    if (isRest) rests.push({ start, end: restEnd, instead: "" });
    if (ends.has(end) || (isRest && restEnd === end)) open.add(path);
    else open.delete(path);
  });
  return rests;
}

/** Shorter ones may be words, and show nothing. */
const SHORTEST_REST = 64;
const looksMixed = (letters: string): boolean =>
  /[a-z]/.test(letters) && /[A-Z]/.test(letters) && /[0-9]/.test(letters);

/** No picture is shorter, in letters of base64. */
const SHORTEST = 16;
/** A line of base64 that goes on in the next one. */
const LINE = 20;
/** So many letters tell what it is. */
const HEAD = 128;

/** Types and addresses may be in JSON within JSON. */
const ADDRESS = /data:([a-z]{2,20}\\*\/[\w.+-]{1,100})(?:;[\w.+=%-]{1,100}){0,8};base64,/gi;
const PICTURE_TYPE = /^(?:image|audio|video)\\*\//i;

function* inBase64(text: string): Generator<Picture> {
  if (text.includes(";base64,"))
    for (const { index, 0: address, 1: type = "" } of text.matchAll(ADDRESS)) {
      const picture = pictureAt(text, index + address.length, (head) =>
        PICTURE_TYPE.test(type) || !isText(head) ? (formatOf(head) ?? formatOfType(type)) : undefined,
      );
      if (picture) yield picture;
    }
  let passed = 0;
  for (const { index, 0: letters } of text.matchAll(BEGINNINGS)) {
    if (index < passed) continue;
    const before = memberOf(BEFORE, letters);
    const start = before ? startBefore(text, index, before) : index;
    if (start === undefined || !isBeginning(text, start)) continue;
    const picture = pictureAt(text, start, formatOf);
    if (!picture) continue;
    yield picture;
    passed = picture.end;
  }
}

function startBefore(text: string, index: number, before: RegExp): number | undefined {
  const found = before.exec(text.slice(Math.max(0, index - 70), index));
  return found ? index - found[0].length : undefined;
}

function pictureAt(
  text: string,
  start: number,
  look: (head: Buffer) => MediaFormat | undefined,
): Picture | undefined {
  const head = Buffer.from(plain(text.slice(start, endOfRun(text, start, HEAD))), "base64");
  if (head.length < (SHORTEST * 3) / 4) return undefined;
  const format = look(head);
  if (format === undefined) return undefined;
  const end = endOfRun(text, start);
  const instead = placeholderOf(format);
  return plain(text.slice(start, Math.min(end, start + 2 * instead.length))) === instead
    ? undefined
    : { start, end, instead };
}

/** Within base64, the same letters mean something else; but an escaped line break ends in a letter. */
const isBeginning = (text: string, at: number): boolean =>
  !isLetter(text.charCodeAt(at - 1)) || /\\[nrt]$/.test(text.slice(Math.max(0, at - 2), at));

const ESCAPED = /\\{1,64}(?:\/|u002[bBfF])|%2[bBfF]/y;
const BREAK = /(?:(?:\\{1,64}r)?\\{1,64}n|\r?\n)(?:[ \t]|\\{1,64}t){0,64}(?=[\w+/-]|\\{1,64}\/)/y;
const PADDING = /(?:=|\\{1,64}u003[dD]|%3[dD]){0,2}/y;

/** Where the base64 ends that begins here, on further lines, too. */
function endOfRun(text: string, start: number, most = Number.POSITIVE_INFINITY): number {
  let at = start;
  for (let line = start; ; ) {
    while (at - start < most && isLetter(text.charCodeAt(at))) at++;
    if (at - start >= most) return at;
    const next = stepOver(ESCAPED, text, at);
    if (next > at) {
      at = next;
      continue;
    }
    const below = at - line >= LINE ? stepOver(BREAK, text, at) : at;
    if (below === at) return stepOver(PADDING, text, at);
    at = below;
    line = below;
  }
}

function stepOver(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x2f && code <= 0x39) ||
  code === 0x2b ||
  code === 0x2d ||
  code === 0x5f;

/** The letters without what JSON, an address and lines have made of them. */
const plain = (run: string): string =>
  /[\\%\s]/.test(run)
    ? run
        .replace(/\\+u002b|%2b/gi, "+")
        .replace(/\\+u002f|%2f|\\+\//gi, "/")
        .replace(/\\+u003d|%3d/gi, "=")
        .replace(/\\+[nrt]|\s/g, "")
    : run;

/** What is cut in the middle of a letter is text, too. */
const isText = (bytes: Buffer): boolean => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
  const odd = /[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/;
  return !odd.test(bytes.toString("utf8").slice(0, -3));
};

const TYPE = /"(?:image|audio|video|font|application)\\?\/[\w.+-]{1,100}"/;
const IS_TYPE = /^(?:image|audio|video|font|application)\\?\/[\w.+-]{1,100}$/;
/** Shorter ones may be hashes. */
const SHORTEST_BESIDE = 256;

/** Of formats that are not known here: base64 in an object that names a media type. */
function besideType(text: string): Picture[] {
  if (!TYPE.test(text)) return [];
  const types = new Map<number, string>();
  const candidates: { readonly start: number; readonly end: number; readonly holder: number }[] = [];
  const isJson = eachJsonText(text, ({ start, end, isName, holder }) => {
    if (isName) return;
    if (end - start < SHORTEST_BESIDE) {
      const value = text.slice(start, end);
      if (IS_TYPE.test(value)) types.set(holder, value);
    } else if (endOfRun(text, start) === end && !isHex(text.slice(start, end)))
      candidates.push({ start, end, holder });
  });
  if (!isJson) return [];
  return candidates.flatMap(({ start, holder }) => {
    const type = types.get(holder);
    return type === undefined
      ? []
      : (pictureAt(text, start, (head) =>
          PICTURE_TYPE.test(type) || !isText(head) ? (formatOf(head) ?? formatOfType(type)) : undefined,
        ) ?? []);
  });
}

/** Hashes stay. */
const isHex = (letters: string): boolean => /^[\da-f]+$/i.test(letters);

const SPACE = String.raw`(?:\s|\\+[nrt])*`;
/** A list of bytes, or an object with their places as names, as programs write such in JSON. */
const NUMBERS = new RegExp(
  String.raw`(\[|\{${SPACE}(?=\\*"0\\*"))${SPACE}(?:(\\*")0\\*"${SPACE}:${SPACE})?${FIRST_NUMBER}${SPACE},`,
  "g",
);
const SHORTEST_NUMBERS = 16;

function* asNumbers(text: string): Generator<Picture> {
  let passed = 0;
  for (const { index, 1: bracket = "", 2: quote } of text.matchAll(NUMBERS)) {
    if (index < passed) continue;
    const start = stepOver(AFTER_BRACKET, text, index + 1);
    const head = numbersFrom(text, start, quote !== undefined, 32);
    const format = head.bytes.length < SHORTEST_NUMBERS ? undefined : formatOf(Buffer.from(head.bytes));
    if (format === undefined || bracket === "") continue;
    const { end } = numbersFrom(text, start, quote !== undefined);
    passed = end;
    const instead = Array.from(Buffer.from(placeholderOf(format), "base64"), (byte, at) =>
      quote === undefined ? `${byte}` : `${quote}${at}${quote}:${byte}`,
    ).join(",");
    if (text.slice(start, end) !== instead) yield { start, end, instead };
  }
}

const AFTER_BRACKET = new RegExp(SPACE, "y");
const NUMBER = new RegExp(String.raw`${SPACE}(\d{1,3})(?![\d.])`, "y");
const NAMED_NUMBER = new RegExp(String.raw`${SPACE}\\*"\d{1,9}\\*"${SPACE}:${SPACE}(\d{1,3})(?![\d.])`, "y");
const COMMA = new RegExp(`${SPACE},`, "y");

function numbersFrom(
  text: string,
  start: number,
  isNamed: boolean,
  most = Number.POSITIVE_INFINITY,
): { readonly bytes: number[]; readonly end: number } {
  const pattern = isNamed ? NAMED_NUMBER : NUMBER;
  const bytes: number[] = [];
  let end = start;
  for (let at = start, count = 0; count < most; count++) {
    pattern.lastIndex = at;
    const value = Number(pattern.exec(text)?.[1] ?? 256);
    if (value > 255) break;
    // Only the first ones are looked at.
    if (count < 32) bytes.push(value);
    end = pattern.lastIndex;
    const next = stepOver(COMMA, text, end);
    if (next === end) break;
    at = next;
  }
  return { bytes, end };
}
