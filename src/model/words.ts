/** Words inside words: what the full-text tokenizer keeps whole but people search for in part. */

/** A small letter or digit before a capital, or a run of capitals before a small letter: rate|Limiter, HTTP|Server. */
const HUMP = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const IS_CJK = new RegExp(CJK.source, "u");
const WORD_UNIT = /[\p{L}\p{N}]/u;

/**
 * The parts of every camelCase identifier in a text, and overlapping pairs of CJK characters, each once, a space
 * between. It must stay a pure function of the text: the index deletes a turn by telling the same words again.
 */
export function innerWords(text: string): string {
  const words = new Set<string>();
  const highest = addHumps(text, words);
  if (highest < FIRST_CJK) return [...words].join(" ");
  for (const { 0: run, index } of text.matchAll(CJK)) {
    for (const pair of pairs(run)) words.add(pair);
    for (const word of gluedWords(text, index, index + run.length)) words.add(word);
  }
  return [...words].join(" ");
}

/** No character before the Hangul letters is of a script that is written without spaces. */
const FIRST_CJK = 0x1100;
/** Encoded blobs look like endless identifiers; nobody searches for their humps. */
const LONGEST_IDENTIFIER = 80;
const [LOWER, UPPER, DIGIT, FOREIGN] = [1, 2, 3, 4] as const;
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z]/.test(character) ? LOWER : /[A-Z]/.test(character) ? UPPER : /\d/.test(character) ? DIGIT : 0;
});

/**
 * Adds the parts of all identifiers, and gives back the highest character code. By hand, because all text that is
 * searchable comes through here: only words with letters beyond ASCII are left to regular expressions.
 */
function addHumps(text: string, words: Set<string>): number {
  let highest = 0;
  let start = 0;
  let isForeign = false;
  let [before, last] = [0, 0];
  let cuts: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const kind = code < 128 ? (ASCII[code] as number) : FOREIGN;
    if (kind === UPPER && (last === LOWER || last === DIGIT)) cuts.push(at);
    else if (kind === LOWER && last === UPPER && before === UPPER) cuts.push(at - 1);
    else if (kind === FOREIGN) {
      isForeign = true;
      if (code > highest) highest = code;
    } else if (kind === 0) {
      if (isForeign) addForeign(text.slice(start, at), words);
      else if (cuts.length > 0 && at - start <= LONGEST_IDENTIFIER) addParts(text, start, cuts, at, words);
      if (cuts.length > 0) cuts = [];
      isForeign = false;
      start = at + 1;
    }
    before = last;
    last = kind;
  }
  return highest;
}

function addParts(
  text: string,
  start: number,
  cuts: readonly number[],
  end: number,
  words: Set<string>,
): void {
  let from = start;
  for (const cut of cuts) {
    words.add(text.slice(from, cut).toLowerCase());
    from = cut;
  }
  words.add(text.slice(from, end).toLowerCase());
}

function addForeign(run: string, words: Set<string>): void {
  for (const identifier of humpedIdentifiers(run)) for (const part of splitHumps(identifier)) words.add(part);
}

/** "UTF8で保存": the tokenizer takes all of it for one word, people look for "UTF8". */
function gluedWords(text: string, start: number, end: number): string[] {
  let [from, to] = [start, end];
  while (from > 0 && isGlued(text.charAt(from - 1))) from--;
  while (to < text.length && isGlued(text.charAt(to))) to++;
  return [text.slice(from, start), text.slice(end, to)].filter((word) => word !== "");
}

const isGlued = (char: string): boolean => WORD_UNIT.test(char) && !IS_CJK.test(char);

/** The runs of CJK characters in a word, and what stands between them. */
export const cjkRuns = (word: string): string[] => word.match(CJK) ?? [];
export const withoutCjk = (word: string): string[] => word.split(CJK).filter((rest) => rest !== "");

/** "rateLimiter" as "rate", "limiter"; "parseHTTPHeader2" as "parse", "http", "header2". */
export function splitHumps(identifier: string): string[] {
  return identifier
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(" ");
}

/** "検索機能" as "検索", "索機", "機能"; a single character stays as it is. */
export function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** Finds the humps first and widens by hand: a regular expression for whole identifiers would try at every letter. */
function* humpedIdentifiers(text: string): Generator<string> {
  const hump = new RegExp(HUMP, "gu");
  for (let match = hump.exec(text); match; match = hump.exec(text)) {
    let start = match.index;
    let end = match.index + match[0].length;
    while (start > 0 && WORD_UNIT.test(text.charAt(start - 1))) start--;
    while (end < text.length && WORD_UNIT.test(text.charAt(end))) end++;
    if (end - start <= LONGEST_IDENTIFIER) yield text.slice(start, end);
    hump.lastIndex = end;
  }
}
