/** Finds the words of a query in a text as the full-text index does: whole words, ignoring case and accents. Pure. */
import { late, patternFor } from "../../model/text/patterns.ts";
import { isCjk } from "../../model/text/words.ts";
import type { Term, TermVariant } from "./query.ts";
import { variantsOf } from "./query.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where each group of a query stands in a text; an empty list for a group that does not. */
export type Matcher = (text: string) => Span[][];

/** Nobody reads more of them; a log may repeat a word a thousand times. */
const MOST_OF_A_WAY = 40;

type Groups = readonly (readonly Term[])[];
const toPatterns = (groups: Groups): Pattern[][] =>
  groups.map((group) => group.flatMap((term) => variantsOf(term).map(toPattern)));

export function createMatcher(groups: Groups): Matcher {
  const patterns = toPatterns(groups);
  return (text) => {
    const folded = fold(text);
    return patterns.map((variants) =>
      variants
        .flatMap((find) => find(text, folded))
        .sort((a, b) => a.start - b.start || b.end - a.end)
        // The same words may fit in more ways than one.
        .filter((span, at, all) => span.start !== all[at - 1]?.start),
    );
  };
}

/** Whether a text has all of the groups, or any; looks no further than it must. */
export function createTest(groups: Groups, need: "all" | "any"): (text: string) => boolean {
  const patterns = toPatterns(groups);
  return (text) => {
    const folded = fold(text);
    const stands = (variants: readonly Pattern[]): boolean =>
      variants.some((find) => find(text, folded).length > 0);
    return need === "all" ? patterns.every(stands) : patterns.some(stands);
  };
}

type Pattern = (text: string, folded: string) => Span[];

/** Tokens are letters and digits only, so nothing in them means anything to a regular expression. */
function toPattern(variant: TermVariant): Pattern {
  if (variant.kind === "inside") return insidePattern(variant);
  if (variant.kind === "phrase") {
    const words = new RegExp(variant.tokens.map(toLetters).join(`${GAP}+`), "gu");
    // The index knows parts of names one by one, so that only single words may be such parts.
    const fits = variant.tokens.length > 1 ? isApart : isWhole;
    return (text, folded) => findAll(words, folded, (span) => fits(text, span, variant.begins));
  }
  const runs = variant.runs.map((run) => new RegExp(toLetters(run), "gu"));
  const words = variant.words.map((word) => new RegExp(toLetters(word), "gu"));
  return (text, folded) => {
    const found = [
      ...runs.map((run) => findAll(run, folded, () => true)),
      ...words.map((word) => findAll(word, folded, (span) => isWhole(text, span, false))),
    ];
    return found.every((spans) => spans.length > 0) ? found.flat() : [];
  };
}

/** Between the words there is nothing but a hump. */
function insidePattern({
  tokens,
  begins,
}: {
  readonly tokens: readonly string[];
  readonly begins: boolean;
}): Pattern {
  const name = new RegExp(tokens.map((token) => `(${toLetters(token)})`).join(""), "gu");
  return (text, folded) =>
    findAll(name, folded, (span, match) => {
      let at = span.start;
      const isCut = match.slice(1, -1).every((part) => {
        at += part.length;
        return isInnerEdge(text, at);
      });
      return isCut && isWhole(text, span, begins);
    });
}

const GAP = "[^\\p{L}\\p{N}]";
/** Accents that are characters of their own. The index drops them, wherever they stand. */
const ACCENT = "[\u0300-\u036f]";
const ACCENTS = new RegExp(ACCENT, "g");
const IS_ACCENT = new RegExp(ACCENT);

/** Each letter may carry accents of its own in a text, but not in a pattern. */
const toLetters = (token: string): string =>
  [...fold(token.replace(ACCENTS, ""))].map((letter) => `${letter}${ACCENT}*`).join("");

function findAll(
  pattern: RegExp,
  folded: string,
  fits: (span: Span, match: RegExpExecArray) => boolean,
): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(folded); match; match = pattern.exec(folded)) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (fits(span, match)) spans.push(span);
    // What fits may begin inside what does not.
    else pattern.lastIndex = span.start + 1;
    if (spans.length === MOST_OF_A_WAY) break;
  }
  return spans;
}

const test = (plain: RegExp, make: () => RegExp): ((char: string) => boolean) => {
  const all = late(make);
  return (char) => patternFor(char, plain, all).test(char);
};
const isLetter = test(/[A-Za-z0-9]/, () => /[\p{L}\p{N}]/u);
const isSmall = test(/[a-z0-9]/, () => /[\p{Ll}\p{N}]/u);
const isSmallLetter = test(/[a-z]/, () => /\p{Ll}/u);
const isCapital = test(/[A-Z]/, () => /\p{Lu}/u);

/** A word ends where its letters end, or inside an identifier: "Limiter" is a word in "rateLimiter". */
function isWhole(text: string, { start, end }: Span, begins: boolean): boolean {
  const startsHere = !isLetter(letterBefore(text, start)) || isInnerEdge(text, start);
  return startsHere && (begins || !isLetter(text.charAt(end)) || isInnerEdge(text, end));
}

/** No letter stands before it, or behind it. */
const isApart = (text: string, { start, end }: Span, begins: boolean): boolean =>
  !isLetter(letterBefore(text, start)) && (begins || !isLetter(text.charAt(end)));

/** Where the index cuts a run of letters in two: at humps (rate|Limiter, HTTP|Server), and around CJK (UTF8|で). */
function isInnerEdge(text: string, at: number): boolean {
  const [last, next] = [letterBefore(text, at), text.charAt(at)];
  if (isCapital(next)) return isSmall(last) || (isCapital(last) && isSmallLetter(text.charAt(at + 1)));
  return isCjk(last) !== isCjk(next);
}

/** An accent of its own is part of what stands before it. */
function letterBefore(text: string, place: number): string {
  let at = place - 1;
  while (at > 0 && IS_ACCENT.test(text.charAt(at))) at--;
  return text.charAt(at);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const BEYOND_ASCII = /[^\x00-\x7f]/g;

/** Small letters, Latin ones without accents; as long as the text, so that places in one are places in the other. */
export const fold = (text: string): string => text.replace(BEYOND_ASCII, foldOne).toLowerCase();

/** As the index does it: "é" is "e", but "й" and "が" are letters of their own, and so is every Korean syllable. */
function foldOne(char: string): string {
  const base = char.normalize("NFD").charAt(0);
  if (/[a-z]/i.test(base)) return base;
  const lower = char.toLowerCase();
  // Where it stands decides how a small sigma is written, but not which letter it is.
  return lower === "ς" ? "σ" : lower.length === 1 ? lower : char;
}
