/** Which lines of a text were lines of an earlier one: lines that are unique in both are paired first, then what is between. */
import { longestCommon } from "../session/lcs.ts";

/** For each line of `after` the number of its line in `before`, or -1. */
export function matchLines(before: readonly string[], after: readonly string[]): Int32Array {
  const matched = new Int32Array(after.length).fill(-1);
  // A list of work, as texts with very many anchors would nest too deep.
  const work: Span[] = [{ a: 0, endA: before.length, b: 0, endB: after.length }];
  for (let span = work.pop(); span; span = work.pop()) {
    const rest = trim(before, after, span, matched);
    if (rest.a === rest.endA || rest.b === rest.endB) continue;
    const anchors = uniquePairs(before, after, rest);
    if (anchors.length === 0) matchCommon(before, after, rest, matched);
    else work.push(...between(anchors, rest, matched));
  }
  slideDown(after, matched);
  return matched;
}

interface Span {
  readonly a: number;
  readonly endA: number;
  readonly b: number;
  readonly endB: number;
}

type Pair = readonly [a: number, b: number];

/** What both begin and end with. */
function trim(before: readonly string[], after: readonly string[], span: Span, matched: Int32Array): Span {
  let { a, endA, b, endB } = span;
  while (a < endA && b < endB && before[a] === after[b]) matched[b++] = a++;
  while (endA > a && endB > b && before[endA - 1] === after[endB - 1]) matched[--endB] = --endA;
  return { a, endA, b, endB };
}

/** Lines that stand once in both, as many of them as keep their order. */
function uniquePairs(before: readonly string[], after: readonly string[], span: Span): Pair[] {
  const counts = new Map<string, { inA: number; inB: number; a: number }>();
  for (let a = span.a; a < span.endA; a++) {
    const known = counts.get(before[a] ?? "");
    if (known) known.inA++;
    else counts.set(before[a] ?? "", { inA: 1, inB: 0, a });
  }
  for (let b = span.b; b < span.endB; b++) {
    const known = counts.get(after[b] ?? "");
    if (known) known.inB++;
  }
  const pairs: Pair[] = [];
  for (let b = span.b; b < span.endB; b++) {
    const known = counts.get(after[b] ?? "");
    if (known?.inA === 1 && known.inB === 1) pairs.push([known.a, b]);
  }
  return inOrder(pairs);
}

/** The most pairs whose first numbers rise; the second ones do already. */
function inOrder(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = [];
  const links = new Int32Array(pairs.length).fill(-1);
  for (const [at, [a]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[0] ?? 0) < a) low = middle + 1;
      else high = middle;
    }
    links[at] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = at;
  }
  const chosen: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = links[at] ?? -1) chosen.push(pairs[at] as Pair);
  return chosen.reverse();
}

function between(anchors: readonly Pair[], span: Span, matched: Int32Array): Span[] {
  const gaps: Span[] = [];
  let { a, b } = span;
  for (const [toA, toB] of anchors) {
    matched[toB] = toA;
    gaps.push({ a, endA: toA, b, endB: toB });
    a = toA + 1;
    b = toB + 1;
  }
  gaps.push({ a, endA: span.endA, b, endB: span.endB });
  return gaps.filter((gap) => gap.a < gap.endA && gap.b < gap.endB);
}

function matchCommon(
  before: readonly string[],
  after: readonly string[],
  { a, endA, b, endB }: Span,
  matched: Int32Array,
): void {
  for (const [i, j] of longestCommon(before.slice(a, endA), after.slice(b, endB))) matched[b + j] = a + i;
}

/**
 * Of a block that was inserted between equal lines it cannot be said which of them are its own. As in git, the last
 * ones are: the closing brace behind a new function belongs to it.
 */
export function slideDown(after: readonly string[], matched: Int32Array): void {
  for (let start = 0; start < matched.length; start++) {
    if (matched[start] !== -1) continue;
    let end = start;
    while (end < matched.length && matched[end] === -1) end++;
    for (let from = start; end < matched.length && after[from] === after[end]; from++, end++) {
      // Two blocks that touch are one from here on, and are looked at again as such.
      if (matched[end] === -1) break;
      matched[from] = matched[end] ?? -1;
      matched[end] = -1;
    }
    start = end;
  }
}
