/** Finds the words of a query in a text as the full-text index would: whole words, case and accents aside. Pure. */
import type { Term, Way } from "./search-query.ts";
import { waysOf } from "./search-query.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where each group of a query stands in a text; an empty list for a group that does not. */
export type Matcher = (text: string) => Span[][];

/** Nobody reads more of them; a log may repeat a word a thousand times. */
const MOST_OF_A_WAY = 40;

export function createMatcher(groups: readonly (readonly Term[])[]): Matcher {
  const patterns = groups.map((group) => group.flatMap((term) => waysOf(term).map(toPattern)));
  return (text) => {
    const folded = fold(text);
    return patterns.map((ways) =>
      ways.flatMap((find) => find(text, folded)).sort((a, b) => a.start - b.start || b.end - a.end),
    );
  };
}

type Pattern = (text: string, folded: string) => Span[];

/** Tokens are letters and digits only, so nothing in them means anything to a regular expression. */
function toPattern(way: Way): Pattern {
  if (way.kind === "phrase") {
    const words = new RegExp(way.tokens.map(fold).join("[^\\p{L}\\p{N}]+"), "gu");
    return (text, folded) => findAll(words, folded, (span) => isWhole(text, span, way.begins));
  }
  const pieces = [...way.runs, ...way.words].map((piece) => new RegExp(fold(piece), "gu"));
  return (_, folded) => {
    const found = pieces.map((piece) => findAll(piece, folded, () => true));
    return found.every((spans) => spans.length > 0) ? found.flat() : [];
  };
}

function findAll(pattern: RegExp, folded: string, fits: (span: Span) => boolean): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(folded); match; match = pattern.exec(folded)) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (fits(span)) spans.push(span);
    if (spans.length === MOST_OF_A_WAY) break;
  }
  return spans;
}

const LETTER = /[\p{L}\p{N}]/u;
const SMALL = /[\p{Ll}\p{N}]/u;
const CAPITAL = /\p{Lu}/u;

/** A word ends where its letters end, or where an identifier has a hump: "Limiter" is a word in "rateLimiter". */
function isWhole(text: string, { start, end }: Span, begins: boolean): boolean {
  const isHump = (at: number): boolean => SMALL.test(text.charAt(at - 1)) && CAPITAL.test(text.charAt(at));
  const startsHere = start === 0 || !LETTER.test(text.charAt(start - 1)) || isHump(start);
  return startsHere && (begins || end === text.length || !LETTER.test(text.charAt(end)) || isHump(end));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const BEYOND_ASCII = /[^\x00-\x7f]/g;

/** Small letters without accents; as long as the text, so that places in one are places in the other. */
export function fold(text: string): string {
  const plain = text.replace(BEYOND_ASCII, (char) => {
    const base = char.normalize("NFD").charAt(0).toLowerCase();
    return base.length === 1 ? base : char;
  });
  const lower = plain.toLowerCase();
  return lower.length === text.length ? lower : plain;
}
