/** Spans of secrets in a text, and how spans that touch are merged. */

export interface Span {
  readonly start: number;
  readonly end: number;
  /** What it is, in words that may be read by anybody. */
  readonly kind: string;
  /** Known only by what stands beside it, so that it would not be recognized elsewhere. */
  readonly isNamed: boolean;
  /** The secret itself, where it is written otherwise here or cut off. */
  readonly secret?: string;
}

/** In order; of those that begin together the longest first. */
const inOrder = (spans: readonly Span[]): Span[] =>
  spans.toSorted((a, b) => a.start - b.start || b.end - a.end);

/** In order, and no two overlap: what two rules see differently goes as a whole, under the more telling name. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of inOrder(spans)) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) merged.push(span);
    else if (span.start === last.start && span.end === last.end && span.secret !== undefined)
      merged[merged.length - 1] = {
        ...span,
        isNamed: last.isNamed,
        kind: last.isNamed ? span.kind : last.kind,
      };
    else
      merged[merged.length - 1] = {
        start: last.start,
        end: Math.max(last.end, span.end),
        kind: last.isNamed ? span.kind : last.kind,
        isNamed: last.isNamed && span.isNamed,
      };
  }
  return merged;
}
