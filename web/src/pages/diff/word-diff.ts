/** Two versions of a text, with the words that only one of them has. */
import { longestCommon } from "../../../../src/model/session/lcs.ts";

export interface Span {
  readonly text: string;
  readonly isSame: boolean;
}

/** Longer texts are shown without marks: comparing them would take longer than reading. */
const MOST_WORDS = 6000;
/** With less in common, marks would be noise. */
const LEAST_COMMON = 0.25;

const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** Nothing where marks would not help. */
export function wordDiff(a: string, b: string): { readonly a: Span[]; readonly b: Span[] } | undefined {
  if (a === b) return undefined;
  const [left, right] = [a.match(WORDS) ?? [], b.match(WORDS) ?? []];
  if (left.length > MOST_WORDS || right.length > MOST_WORDS) return undefined;
  const pairs = longestCommon(left, right);
  const said = (words: readonly string[], at: (pair: readonly [number, number]) => number): number =>
    pairs.filter((pair) => /[\p{L}\p{N}]/u.test(words[at(pair)] ?? "")).length;
  const most = Math.max(countWords(left), countWords(right));
  if (most === 0 || said(left, ([i]) => i) / most < LEAST_COMMON) return undefined;
  return {
    a: spans(left, new Set(pairs.map(([i]) => i))),
    b: spans(right, new Set(pairs.map(([, j]) => j))),
  };
}

const countWords = (words: readonly string[]): number =>
  words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Words next to each other that are alike are one span; so is a space between two that differ. */
function spans(words: readonly string[], same: ReadonlySet<number>): Span[] {
  const isSame = words.map((word, at) => {
    if (!same.has(at)) return false;
    const isBetween = at > 0 && at < words.length - 1 && !same.has(at - 1) && !same.has(at + 1);
    return !(isBetween && word.trim() === "");
  });
  const result: { text: string; isSame: boolean }[] = [];
  words.forEach((word, at) => {
    const last = result.at(-1);
    const is = isSame[at] === true;
    if (last?.isSame === is) last.text += word;
    else result.push({ text: word, isSame: is });
  });
  return result;
}
