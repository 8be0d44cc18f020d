/** Finds secrets in a text that something disguises: base64, other spellings, and what stands between its letters. */
import type { Span } from "./span.ts";
import { findInPieces, findSpelled } from "./spelled.ts";
import { findWithout } from "./without.ts";

type Find = (plain: string) => readonly Span[];

/**
 * As spans of the text as it is; each with the secret as it is meant. `inPieces` looks at a text whose pieces are put
 * together, where names are no longer what they were.
 */
export const findDisguised = (text: string, find: Find, inPieces: Find = find): Span[] => [
  ...findEncoded(text, find),
  ...findSpelled(text, find),
  ...findInPieces(text, inPieces, inPieces !== find),
  ...(UNSEEN.some((letter) => text.includes(letter)) ? findWithout(text, REMOVED, find) : []),
];

/** All of it is one place: within base64, a part of a secret is no part of the letters. */
function findEncoded(text: string, find: Find): Span[] {
  const spans: Span[] = [];
  // What is long enough has one of these letters.
  for (let at = SHORTEST - 1; at < text.length; at += SHORTEST) {
    if (!isLetter(text, at)) continue;
    let start = at;
    while (start > 0 && isLetter(text, start - 1)) start--;
    let end = endFrom(text, at);
    // Whatever it is, it is looked at once: pictures have millions of such letters.
    at = end - 1;
    if (end - start < SHORTEST || !beginsAsText(text, start)) continue;
    end = endOfLines(text, start, end);
    at = end - 1;
    const plain = decoded(text.slice(start, end).replaceAll(BREAK, ""));
    const [first] = plain === undefined ? [] : find(plain);
    if (plain === undefined || !first) continue;
    while (text[end] === "=") end++;
    const { kind, isNamed, secret = plain.slice(first.start, first.end) } = first;
    spans.push({ start, end, kind, isNamed, secret });
  }
  return spans;
}

/** Encoded, a password of 15 letters; shorter ones are words of any kind. */
const SHORTEST = 20;
/** A line of base64 that goes on in the next one. */
const LINE = 60;
const BREAK = /\r?\n|(?:\\r)?\\n/g;
const BREAK_HERE = /\r?\n|(?:\\r)?\\n/y;

/** What each letter stands for, and one more; 0 is none. */
const SIX_BITS = new Uint8Array(128);
for (const [bits, letter] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries())
  SIX_BITS[letter.charCodeAt(0)] = bits + 1;
SIX_BITS[0x2d] = 63;
SIX_BITS[0x5f] = 64;

const isLetter = (text: string, at: number): boolean => (SIX_BITS[text.charCodeAt(at)] ?? 0) > 0;

function endFrom(text: string, from: number): number {
  let end = from;
  while (end < text.length && isLetter(text, end)) end++;
  return end;
}

function endOfLines(text: string, start: number, end: number): number {
  for (let [line, last] = [start, end]; ; ) {
    BREAK_HERE.lastIndex = last;
    if (last - line < LINE || !BREAK_HERE.test(text)) return last;
    line = BREAK_HERE.lastIndex;
    const next = endFrom(text, line);
    if (next === line) return last;
    last = next;
  }
}

/** Whether the first twelve bytes are letters that one can read: what is no text hardly ever has so many. */
function beginsAsText(text: string, start: number): boolean {
  for (let at = start; at < start + 16; at += 4) {
    let bits = 0;
    for (let i = at; i < at + 4; i++) bits = (bits << 6) | ((SIX_BITS[text.charCodeAt(i)] ?? 0) - 1);
    if (!isReadable(bits >> 16) || !isReadable((bits >> 8) & 0xff) || !isReadable(bits & 0xff)) return false;
  }
  return true;
}

const isReadable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13;

/** Nothing for what is no text. */
function decoded(encoded: string): string | undefined {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  return /^[\t\n\r\x20-\x7e\u00a0-\ufffc]*$/.test(text) ? text : undefined;
}

/** Colours of a terminal, the zeros of UTF-16 that was read as something else, and letters without width. */
const UNSEEN = [..."\0\u001b\u00ad\u200b\u200c\u200d\u2060\ufeff"];
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const REMOVED = /\u001b\[[\d;?]{0,20}[A-Za-z]|[\0\u00ad\u200b-\u200d\u2060\ufeff]/g;
