/** Splits identifiers into words that the full-text tokenizer would keep whole. */
import { isAscii, late } from "./patterns.ts";

/** A small letter or digit before a capital, or a run of capitals before a small letter: rate|Limiter, HTTP|Server. */
const hump = late(() => /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u);
const cjk = late(() => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu);
const anyCjk = late(() => new RegExp(cjk().source, "u"));
const wordUnit = late(() => /[\p{L}\p{N}]/u);

/**
 * The parts of every camelCase identifier in a text, and overlapping pairs of CJK characters, each once, a space
 * between. It must stay a pure function of the text: the index deletes a turn by telling the same words again.
 */
export function innerWords(text: string): string {
  const words = new Set<string>();
  addHumps(text, words);
  for (const { 0: rest, index } of text.matchAll(BEYOND_ASCII)) {
    let start = index;
    while (start > 0 && isWordPart(KINDS[text.charCodeAt(start - 1)] ?? FOREIGN)) start--;
    addForeignWords(text.slice(start, index + rest.length), words);
  }
  return [...words].join(" ");
}

/** From the first character beyond ASCII to the end of its word; what is before it is found by hand, as that is faster. */
const BEYOND_ASCII = /[\u0080-\uffff][A-Za-z0-9\u0080-\uffff]*/g;
const ASCII_HUMP = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/g;
/** Encoded blobs look like endless identifiers; nobody searches for their humps. */
const LONGEST_IDENTIFIER = 80;
const [LOWER, UPPER, DIGIT, FOREIGN] = [1, 2, 3, 4] as const;
const isWordPart = (kind: number): boolean => kind !== 0 && kind !== FOREIGN;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z]/.test(character) ? LOWER : /[A-Z]/.test(character) ? UPPER : /\d/.test(character) ? DIGIT : 0;
});

/** For words of plain ASCII, which nearly all are: from hump to hump, with nothing allocated but the parts. */
function addHumps(text: string, words: Set<string>): void {
  const kindAt = (at: number): number => KINDS[text.charCodeAt(at)] ?? FOREIGN;
  const isPlain = (start: number, end: number): boolean =>
    (start === 0 || kindAt(start - 1) === 0) && (end === text.length || kindAt(end) === 0);
  ASCII_HUMP.lastIndex = 0;
  while (ASCII_HUMP.test(text)) {
    let start = ASCII_HUMP.lastIndex - 1;
    let end = ASCII_HUMP.lastIndex;
    while (start > 0 && isWordPart(kindAt(start - 1))) start--;
    while (end < text.length && isWordPart(kindAt(end))) end++;
    if (end - start <= LONGEST_IDENTIFIER && isPlain(start, end)) {
      let from = start;
      for (let at = start + 1; at < end; at++) {
        const isCut =
          kindAt(at) === UPPER && (kindAt(at - 1) !== UPPER || (at + 1 < end && kindAt(at + 1) === LOWER));
        if (!isCut) continue;
        words.add(text.slice(from, at).toLowerCase());
        from = at;
      }
      words.add(text.slice(from, end).toLowerCase());
    }
    ASCII_HUMP.lastIndex = end;
  }
}

function addForeignWords(text: string, words: Set<string>): void {
  for (const identifier of humpedIdentifiers(text))
    for (const part of splitHumps(identifier)) words.add(part);
  for (const { 0: run, index } of text.matchAll(cjk())) {
    for (const pair of pairs(run)) words.add(pair);
    for (const word of gluedWords(text, index, index + run.length)) words.add(word);
  }
}

/** "UTF8で保存": the tokenizer takes all of it for one word, people look for "UTF8". */
function gluedWords(text: string, start: number, end: number): string[] {
  let [from, to] = [start, end];
  while (from > 0 && isGlued(text.charAt(from - 1))) from--;
  while (to < text.length && isGlued(text.charAt(to))) to++;
  return [text.slice(from, start), text.slice(end, to)].filter((word) => word !== "");
}

export const isCjk = (char: string): boolean => !isAscii(char) && anyCjk().test(char);
const isGlued = (char: string): boolean => wordUnit().test(char) && !isCjk(char);

/** The runs of CJK characters in a word, and what stands between them. */
export const cjkRuns = (word: string): string[] => (isAscii(word) ? [] : (word.match(cjk()) ?? []));
export const withoutCjk = (word: string): string[] =>
  (isAscii(word) ? [word] : word.split(cjk())).filter((rest) => rest !== "");

/** "rateLimiter" as "rate", "limiter"; "parseHTTPHeader2" as "parse", "http", "header2". */
export function splitHumps(identifier: string): string[] {
  const [behindSmall, behindCapitals] = isAscii(identifier)
    ? [/([a-z0-9])([A-Z])/g, /([A-Z])([A-Z][a-z])/g]
    : [/([\p{Ll}\p{N}])(\p{Lu})/gu, /(\p{Lu})(\p{Lu}\p{Ll})/gu];
  return identifier.replace(behindSmall, "$1 $2").replace(behindCapitals, "$1 $2").toLowerCase().split(" ");
}

/** "検索機能" as "検索", "索機", "機能"; a single character stays as it is. */
export function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** Finds the humps first and widens by hand: a regular expression for whole identifiers would try at every letter. */
function* humpedIdentifiers(text: string): Generator<string> {
  const next = new RegExp(hump(), "gu");
  for (let match = next.exec(text); match; match = next.exec(text)) {
    let start = match.index;
    let end = match.index + match[0].length;
    while (start > 0 && wordUnit().test(text.charAt(start - 1))) start--;
    while (end < text.length && wordUnit().test(text.charAt(end))) end++;
    if (end - start <= LONGEST_IDENTIFIER) yield text.slice(start, end);
    next.lastIndex = end;
  }
}
