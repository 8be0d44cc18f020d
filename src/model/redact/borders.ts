/** Finds secrets that run over the border between two texts: chunks of one message, or the records of a stream. */
import { mergeSpans, type Span } from "./span.ts";
import { looksRandom } from "./values.ts";

/** A text of a record, in the order in which they come. */
export interface Piece {
  readonly text: string;
  /** Items of a list of texts are rather words or lines than chunks: only what is known for sure runs over them. */
  readonly isItem: boolean;
}

export interface BorderSpan extends Span {
  /** Which of the pieces; start and end are places in it. */
  readonly piece: number;
  /** All of the secret. */
  readonly secret: string;
}

/** `isSure`: only what is known by its format, whatever stands around it. */
export type Find = (text: string, isSure: boolean) => readonly Span[];

/** As much of a piece is looked at on either side of a border; no private key is longer. */
const REACH = 8192;
/** A tail that goes on behind a border must be one for certain. */
const SHORTEST_TAIL = 6;
/** So far behind a border a secret is at most that is named before it. */
const LONGEST_NAME = 64;

/** `find` looks into joined texts. Only what runs over a border is given, in parts. */
export function findOverBorders(pieces: readonly Piece[], find: Find): BorderSpan[] {
  const spans: BorderSpan[] = [];
  for (let from = 0; from < pieces.length - 1; ) {
    const window = windowFrom(pieces, from);
    if (window.parts.length > 1) spans.push(...crossingIn(window, pieces, find));
    from += Math.max(1, window.parts.length - 1);
  }
  return spans;
}

interface Part {
  readonly piece: number;
  /** Where in the piece it begins, and where in the joined text. */
  readonly from: number;
  readonly at: number;
  readonly length: number;
}

interface Window {
  readonly text: string;
  readonly parts: readonly Part[];
}

/** From the end of one piece over all short ones to the beginning of the next long one. */
function windowFrom(pieces: readonly Piece[], first: number): Window {
  const parts: Part[] = [];
  const texts: string[] = [];
  let at = 0;
  for (let piece = first; piece < pieces.length; piece++) {
    const { text } = pieces[piece] as Piece;
    const isFirst = piece === first;
    const from = isFirst ? Math.max(0, text.length - REACH) : 0;
    const part = isFirst ? text.slice(from) : text.slice(0, REACH);
    parts.push({ piece, from, at, length: part.length });
    texts.push(part);
    at += part.length;
    if (!isFirst && text.length > REACH) break;
  }
  return { text: texts.join(""), parts };
}

function* crossingIn({ text, parts }: Window, pieces: readonly Piece[], find: Find): Generator<BorderSpan> {
  const isSure = parts.some(({ piece }) => pieces[piece]?.isItem);
  let index = 0;
  for (const span of mergeSpans(find(text, isSure))) {
    while (index < parts.length - 1 && endOf(parts[index]) <= span.start) index++;
    const first = parts[index] as Part;
    const alone = text.slice(first.at, endOf(first));
    if (span.end <= endOf(first)) {
      // What makes it known may stand on the other side of the border: its name, or what closes it.
      const isNear =
        !isSure && ((index > 0 && span.start - first.at < LONGEST_NAME) || span.end === endOf(first));
      if (!isNear || has(find(alone, false), span.start - first.at)) continue;
    } else if (
      isWhole(find(alone, false), alone, span.start - first.at, span.kind) &&
      !goesOn(text.slice(endOf(first), span.end), span.kind)
    )
      continue;
    const secret = text.slice(span.start, span.end);
    for (let i = index; i < parts.length; i++) {
      const part = parts[i] as Part;
      if (part.at >= span.end) break;
      const start = Math.max(span.start, part.at);
      const end = Math.min(span.end, endOf(part));
      if (end <= start) continue;
      const shift = part.from - part.at;
      yield { ...span, piece: part.piece, start: start + shift, end: end + shift, secret };
    }
  }
}

const endOf = (part: Part | undefined): number => (part ? part.at + part.length : 0);

const has = (spans: readonly Span[], at: number): boolean =>
  spans.some(({ start, end }) => start <= at && at < end);

/** The first piece has the secret without the others: what follows it may be quite another word. */
const isWhole = (spans: readonly Span[], head: string, at: number, kind: string): boolean =>
  spans.some((span) => span.start <= at && span.end === head.length && span.kind === kind);

const goesOn = (tail: string, kind: string): boolean =>
  kind === "private key" ||
  (tail.length >= SHORTEST_TAIL && (looksRandom(tail, SHORTEST_TAIL) || isJumbled(tail)));

/** Letters alone, but large and small ones as no name has them. */
const isJumbled = (tail: string): boolean =>
  /^[A-Za-z]+$/.test(tail) &&
  /[a-z]/.test(tail) &&
  /.[A-Z]/.test(tail) &&
  (tail.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).some((word) => !/[aeiouy]/i.test(word));
