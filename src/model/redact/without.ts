/** Finds secrets in a text from which something is taken out, where that stood within what was found. */
import { mergeSpans, type Span } from "./span.ts";

type Find = (plain: string) => readonly Span[];

export function findWithout(text: string, removed: RegExp, find: Find): Span[] {
  const breaks: { readonly at: number; readonly length: number }[] = [];
  let gone = 0;
  const joined = text.replace(removed, (found, at: number) => {
    breaks.push({ at: at - gone, length: found.length });
    gone += found.length;
    return "";
  });
  const spans: Span[] = [];
  if (breaks.length === 0) return spans;
  let [index, surplus] = [0, 0];
  for (const span of mergeSpans(find(joined))) {
    const pass = (place: number): number => {
      for (let next = breaks[index]; next && next.at <= place; next = breaks[++index]) surplus += next.length;
      return place + surplus;
    };
    const from = pass(span.start);
    const before = surplus;
    const to = pass(span.end - 1) + 1;
    if (surplus > before)
      spans.push({
        ...span,
        start: from,
        end: to,
        secret: span.secret ?? joined.slice(span.start, span.end),
      });
  }
  return spans;
}
