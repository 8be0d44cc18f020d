/** The lines of a file while it is followed through its changes: what each says, and which change wrote it. */

export interface Line {
  readonly text: string;
  /** What is compared: see `keyOf`. */
  readonly key: string;
  /** The number of the change that wrote it, or one of those below. */
  readonly by: number;
}

/** Somebody else wrote it: a person, a command, an agent that recorded nothing. */
export const NOBODY = -1;
/** It is in the file now; whether it was there then is a guess. */
export const GUESSED = -2;
/** What a guessed line was before a change that is known: the record says it, as far as the guess is right. */
export const UNDONE = -4;
/** A later record shows that it was there; who wrote it is not known, and may be one whose lines had no known place. */
export const FOUND = -3;

/** A text with a line feed at its end has an empty last line here: a text that ends with that line feed is found there. */
export function toLines(text: string, by: number): Line[] {
  return piecesOf(text).map((piece) => toLine(piece, by));
}

export const toLine = (text: string, by: number): Line => ({ text, key: keyOf(text), by });

/** Without a mark of the byte order: programs write it or not, and show it nowhere. */
export const piecesOf = (text: string): string[] =>
  text
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");

/**
 * What counts of a line when it is compared. Claude Code's patches have two spaces for each tab at the beginning, and it
 * writes curly quotes where the file had such; spaces at the end come and go with every formatter.
 */
export function keyOf(text: string): string {
  const key = QUOTES.test(text) ? text.replace(SINGLE, "'").replace(DOUBLE, '"') : text;
  return (key.includes("\t") ? withoutTabs(key) : key).trimEnd();
}

const QUOTES = /[\u2018\u2019\u201c\u201d]/;
const SINGLE = /[\u2018\u2019]/g;
const DOUBLE = /[\u201c\u201d]/g;

function withoutTabs(text: string): string {
  const indent = /^\s*/.exec(text)?.[0] ?? "";
  return indent.replaceAll("\t", "  ") + text.slice(indent.length);
}

/** Whether it was in the file at all is a guess. */
export const isGuess = (by: number | undefined): boolean => by === GUESSED || by === UNDONE;

/** Says something: braces, rules and blank lines stand anywhere. */
export const isTelling = (key: string): boolean => (key.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 4;
