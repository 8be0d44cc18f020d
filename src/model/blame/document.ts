/** A file that is followed through its changes: what is written has a new writer, and lines that stay keep theirs. */
import { FOUND, isGuess, keyOf, type Line, toLines } from "./lines.ts";
import { matchLines } from "./match-lines.ts";

/** Lines that a change wrote and that are not in the file as it is followed. */
export interface LooseLines {
  /** Later changes took them away, or nobody knows where they were put. */
  readonly why: "gone" | "unplaced";
  readonly lines: readonly Line[];
  /** They are no more than a part of a line. */
  readonly isFragment?: boolean;
}

export interface Document {
  lines(): readonly Line[];
  /** Puts other lines in the place of some; lines that are among both stay. */
  put(at: number, count: number, fresh: readonly Line[]): void;
  /** The same by what the lines say: those that are the same as before keep their writers. */
  rewrite(at: number, count: number, texts: readonly string[], by: number): void;
  /** Somebody else has changed the file, and this is what it says now. */
  follow(text: string): void;
  /** What was only thought to be there was written by this change. */
  claimGuessed(by: number): void;
  /** Nobody knows where this change has put them. */
  unplaced(lines: readonly Line[], isFragment?: boolean): void;
}

export function createDocument(start: readonly Line[], loose: (lines: LooseLines) => void): Document {
  let lines = start;
  const put = (at: number, count: number, fresh: readonly Line[]): void => {
    const stays = new Set(fresh);
    const gone = lines.slice(at, at + count).filter((line) => line.by >= 0 && !stays.has(line));
    if (gone.length > 0) loose({ why: "gone", lines: gone });
    lines = [...lines.slice(0, at), ...fresh, ...lines.slice(at + count)];
  };
  const replace = (at: number, count: number, fresh: readonly Line[]): void => {
    const old = lines.slice(at, at + count);
    const matched = matchLines(
      old.map(({ key }) => key),
      fresh.map(({ key }) => key),
    );
    put(
      at,
      count,
      fresh.map((line, i) => old[matched[i] ?? -1] ?? line),
    );
  };
  return {
    lines: () => lines,
    put,
    rewrite: (at, count, texts, by) =>
      replace(
        at,
        count,
        texts.map((text) => ({ text, key: keyOf(text), by })),
      ),
    follow: (text) => replace(0, lines.length, toLines(text, FOUND)),
    claimGuessed(by) {
      lines = lines.map((line) => (isGuess(line.by) ? { ...line, by } : line));
    },
    unplaced: (unknown, isFragment = false) => loose({ why: "unplaced", lines: unknown, isFragment }),
  };
}
