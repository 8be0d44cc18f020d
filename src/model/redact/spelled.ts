/** Finds secrets that are written letter by letter in hex, in wide letters, or in pieces that a program puts together. */
import { mergeSpans, type Span } from "./span.ts";
import { findWithout } from "./without.ts";

type Find = (plain: string) => readonly Span[];

/** As spans of the text as it is; each with the secret as it is meant. */
export const findSpelled = (text: string, find: Find): Span[] => [
  ...(HEX_BYTES.test(text) ? findInHex(text, find) : []),
  ...(WIDE.test(text) ? findInWide(text, find) : []),
];

/** Pairs of hex letters, alone or each with what marks it: `67686f`, `\x67\x68`, `0x67, 0x68`, `67:68`. */
const HEX_BYTES = /[2-7][0-9a-f](?:(?:\\{1,4}x|%|:|,?\s{0,2}0x)?[2-7][0-9a-f]){7}/i;
const RUNS =
  /(?<![0-9a-z])(?:[0-9a-f]{2}){20,}(?![0-9a-z])|(?:\\{1,4}x[0-9a-f]{2}){12,}|(?:0x[0-9a-f]{2},?\s{0,2}){12,}|(?<![0-9a-z])(?:[0-9a-f]{2}:){12,}[0-9a-f]{2}(?![0-9a-z])/gi;
const MARKS = /\\+x|0x|[^0-9a-f]/gi;

/** All of it is one place, as with base64. */
function findInHex(text: string, find: Find): Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    const bytes = Buffer.from(run.replaceAll(MARKS, ""), "hex");
    // Hashes and keys are no text, and hardly ever begin like one.
    if (!bytes.subarray(0, 12).every(isReadable) || !bytes.every(isReadable)) continue;
    const plain = bytes.toString("latin1");
    const [first] = find(plain);
    if (!first) continue;
    const { kind, isNamed, secret = plain.slice(first.start, first.end) } = first;
    spans.push({ start: index, end: index + run.trimEnd().length, kind, isNamed, secret });
  }
  return spans;
}

const isReadable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13;

/** Full-width forms, and the letters of mathematics: to a person they read like plain ones. */
const WIDE = /[\uff01-\uff5e]|\ud835[\udc00-\udfff]/;
const WIDE_LETTERS = /[\uff01-\uff5e]|\ud835[\udc00-\udfff]/g;

/** Only what has such letters in it: all else is found as it is. */
function findInWide(text: string, find: Find): Span[] {
  const surplus: number[] = [];
  let gone = 0;
  const plain = text.replace(WIDE_LETTERS, (letter, at: number) => {
    const folded = letter.normalize("NFKC");
    if (folded.length !== 1) return letter;
    if (letter.length > 1) surplus.push(at - gone);
    gone += letter.length - 1;
    return folded;
  });
  const spans: Span[] = [];
  let before = 0;
  for (const span of mergeSpans(find(plain))) {
    const place = (at: number): number => {
      while ((surplus[before] ?? Number.POSITIVE_INFINITY) < at) before++;
      return at + before;
    };
    const [start, end] = [place(span.start), place(span.end)];
    if (WIDE.test(text.slice(start, end)))
      spans.push({ ...span, start, end, secret: span.secret ?? plain.slice(span.start, span.end) });
  }
  return spans;
}

/** What stands between two pieces of a text in a program, also where that is a text in JSON: `" + "`, `' . '`, `"\n "`. */
const GAP = String.raw`(?:\s|\\{1,3}[nrt])`;
const SIGN = String.raw`(?:\+|\.{1,2}|&|<>|~|\\)`;
const JOINT = String.raw`["'\`](?<=[^\s"'\`\\]\\{0,3}.)${GAP}{0,40}(?:${SIGN}${GAP}{0,40})?\\{0,3}["'\`](?=[^\s"'\`\\])`;
const JOINTS = new RegExp(JOINT, "g");
const WHOLE_JOINTS = new RegExp(String.raw`\\{0,3}${JOINT}`, "g");
/** Around a joint, as much as a secret may have on either side. */
const AROUND = 400;
/** Letters of tokens on both sides of a joint, without which there is none. */
const BEFORE = /[A-Za-z0-9_+/=.~-]*$/;
const BEHIND = /[A-Za-z0-9_+/=.~-]*/y;
const SHORTEST_TOKEN = 20;

/** `isToken`: only what has the letters of a token on both sides is looked at. */
export function findInPieces(text: string, find: Find, isToken: boolean): Span[] {
  const spans: Span[] = [];
  let [from, to] = [0, 0];
  const look = (): void => {
    if (to === 0) return;
    const found = findWithout(text.slice(from, to), WHOLE_JOINTS, find);
    spans.push(...found.map((span) => ({ ...span, start: span.start + from, end: span.end + from })));
    to = 0;
  };
  for (const { 0: joint, index } of text.matchAll(JOINTS)) {
    const end = index + joint.length;
    if (isToken && runAround(text, index, end) < SHORTEST_TOKEN && index > to) continue;
    if (index - AROUND > to) {
      look();
      from = Math.max(0, index - AROUND);
    }
    to = Math.min(text.length, end + AROUND);
  }
  look();
  return spans;
}

function runAround(text: string, start: number, end: number): number {
  BEHIND.lastIndex = end;
  const before = BEFORE.exec(text.slice(Math.max(0, start - AROUND), start).replace(/\\+$/, ""));
  return (before?.[0].length ?? 0) + (BEHIND.exec(text)?.[0].length ?? 0);
}
