/** Finds where a value ends in a text that may be a file, a shell line, or JSON inside JSON. */

export interface Reach {
  readonly start: number;
  readonly end: number;
}

/** Longer values are documents. */
const LONGEST = 4096;
export const QUOTES = "\"'`";

/**
 * A value in quotes, without them. Inside JSON inside JSON the quote wears backslashes; the one that closes wears as
 * many, and one that belongs to the value wears more.
 */
export function endOfQuoted(text: string, at: number): Reach | undefined {
  SPELLED_QUOTE.lastIndex = at;
  const spelled = SPELLED_QUOTE.exec(text)?.[0];
  if (spelled !== undefined) return endOfSpelled(text, at + spelled.length, spelled);
  let open = at;
  while (text[open] === "\\") open++;
  const quote = text[open];
  if (quote === undefined || !QUOTES.includes(quote)) return undefined;
  const worn = open - at;
  const start = open + 1;
  let slashes = 0;
  for (let i = start; i < text.length && i - start <= LONGEST; i++) {
    const char = text[i];
    // Secrets of many lines have shapes of their own; this quote closes something else.
    if (char === "\n") return undefined;
    if (char === "\\") slashes++;
    else {
      if (char === quote && slashes % (2 * (worn + 1)) === worn) return { start, end: i - worn };
      slashes = 0;
    }
  }
  return undefined;
}

/** As some programs write quotes inside of JSON. */
const SPELLED_QUOTE = /\\+u002[27]/y;

function endOfSpelled(text: string, start: number, quote: string): Reach | undefined {
  for (let end = text.indexOf(quote, start); end >= 0 && end - start <= LONGEST; ) {
    if (text[end - 1] !== "\\") return text.slice(start, end).includes("\n") ? undefined : { start, end };
    end = text.indexOf(quote, end + 1); // more backslashes than the one that opened it: it belongs to the value
  }
  return undefined;
}

const BARE = {
  word: /(?:[^\s"'`\\]|\\(?![nrt"'`]|u002[267])){1,4096}/y,
  /** Of an address or a connection: the next one is none of it. */
  parameter: /(?:[^\s"'`\\&;#%]|%(?!26|3[Bb])){1,4096}/y,
  tag: /[^<\s]{1,4096}/y,
} as const;
export type BareManner = keyof typeof BARE;

/** What stands behind a value in code or prose. */
const TRAIL = /[,;)}\]>]+$/;

/** A value without quotes: up to a space, or to a line feed that is written as two characters. */
export function endOfBare(text: string, at: number, manner: BareManner): Reach {
  const pattern = BARE[manner];
  pattern.lastIndex = at;
  const value = (pattern.exec(text)?.[0] ?? "").replace(TRAIL, "");
  return { start: at, end: at + value.length };
}
