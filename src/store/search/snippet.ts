/** Extracts the part of a text that shows why it was found. Pure. */

import { MARK } from "../../model/text/marks.ts";
import { largest } from "../../model/values/lists.ts";
import type { Matcher, Span } from "./text-match.ts";

const LENGTH = 220;
/** What stands before a match must leave it in sight on a narrow screen. */
const BEFORE = 30;
/** Around each of several matches that stand apart; the last one gets what is left. */
const SHARE = 50;
/** A gap smaller than this is not worth an ellipsis. */
const GAP = 20;

/** One span of every group that has any, as close together as they come, in the order of the text. */
export function closest(groups: readonly (readonly Span[])[]): Span[] {
  const all = groups
    .flatMap((spans, group) => spans.map((span) => ({ span, group })))
    .sort((a, b) => a.span.start - b.span.start);
  const wanted = groups.filter((spans) => spans.length > 0).length;
  const latest = new Map<number, Span>();
  let best: Span[] = [];
  let shortest = Number.POSITIVE_INFINITY;
  for (const { span, group } of all) {
    latest.set(group, span);
    if (latest.size < wanted) continue;
    const length = span.end - Math.min(...Array.from(latest.values(), ({ start }) => start));
    if (length < shortest) [shortest, best] = [length, [...latest.values()]];
  }
  return best.sort((a, b) => a.start - b.start);
}

/** The text around the place where the groups stand closest together, with marks around every match in it. */
export function makeSnippet(text: string, groups: readonly (readonly Span[])[]): string {
  const windows = toWindows(text, closest(groups));
  const spans = groups.flat().sort((a, b) => a.start - b.start || b.end - a.end);
  const opening = windows[0] && windows[0].start > 0 ? "…" : "";
  const closing = (windows.at(-1)?.end ?? text.length) < text.length ? "…" : "";
  return `${opening}${windows.map((window) => marked(text, window, spans).trim()).join(" … ")}${closing}`;
}

const MOST_LINES = 3;

/** Of a list, the lines with most of the words. */
export function snippetOfLines(text: string, match: Matcher): string {
  const lines = text.split("\n").map((line) => {
    const groups = match(line);
    return { line, groups, count: groups.filter((spans) => spans.length > 0).length };
  });
  const most = largest(
    lines.map(({ count }) => count),
    0,
  );
  return lines
    .filter(({ count }) => count === most)
    .slice(0, most === 0 ? 1 : MOST_LINES)
    .map(({ line, groups }) => makeSnippet(line, groups))
    .join("\n");
}

function toWindows(text: string, matches: readonly Span[]): Span[] {
  if (matches.length === 0) return [{ start: 0, end: wordEnd(text, LENGTH) }];
  const windows: Span[] = [];
  for (const match of matches) {
    const start = wordStart(text, match.start - (matches.length > 1 ? BEFORE / 2 : BEFORE));
    const end = wordEnd(text, Math.max(match.end, start + SHARE));
    const last = windows.at(-1);
    if (last && start - last.end < GAP)
      windows[windows.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else windows.push({ start, end });
  }
  const used = windows.reduce((sum, { start, end }) => sum + end - start, 0);
  const last = windows.pop();
  return last ? [...windows, { ...last, end: wordEnd(text, last.end + Math.max(0, LENGTH - used)) }] : [];
}

const FAR = 16;

/** The beginning of the word at or after a place; a place inside a long blob stays as it is. */
function wordStart(text: string, place: number): number {
  if (place <= 0) return 0;
  const space = text.slice(place, place + FAR).search(/\s\S/);
  return space < 0 ? characterStart(text, place) : place + space + 1;
}

function wordEnd(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const space = text.slice(place, place + FAR).search(/\s/);
  return space < 0 ? characterEnd(text, place) : place + space;
}

function marked(text: string, window: Span, spans: readonly Span[]): string {
  let out = "";
  let at = window.start;
  for (const span of spans) {
    const [start, end] = [characterStart(text, span.start), characterEnd(text, span.end)];
    if (start < at || end > window.end) continue;
    out += `${unmarkable(text.slice(at, start))}${MARK.open}${unmarkable(text.slice(start, end))}${MARK.close}`;
    at = end;
  }
  return out + unmarkable(text.slice(at, window.end));
}

/** Nothing in the text may pass for a mark, or for the marks of its own pieces. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const unmarkable = (text: string): string => text.replace(/[\x01\x02\x1e\x1f]/g, " ");

/** However a character is put together, it is rarely longer than this. */
const AROUND = 32;
/** Below this, each unit is a character of its own. */
const FIRST_JOINED = 0x300;

/** The place itself, or the beginning of the character that it would cut in two. */
const characterStart = (text: string, place: number): number => edges(text, place)[0];
/** The place itself, or the end of the character that it would cut in two. */
const characterEnd = (text: string, place: number): number => edges(text, place)[1];

function edges(text: string, place: number): [start: number, end: number] {
  if (place <= 0 || place >= text.length || text.charCodeAt(place) < FIRST_JOINED) return [place, place];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const from = Math.max(0, place - AROUND);
  const around = segmenter.segment(text.slice(from, place + AROUND)).containing(place - from);
  if (!around || from + around.index === place) return [place, place];
  return [from + around.index, from + around.index + around.segment.length];
}
/** Made when it is first needed: most text is simple. */
let segmenter: Intl.Segmenter | undefined;
