/** Reads a file line by line in bounded memory: one reused buffer, and very long lines shrunk as they pass. */

import { createShrinker, type Shrinker } from "../json/shrink.ts";
import type { ByteRange, SessionFs } from "./session-fs.ts";

export interface Line {
  /** Counted from 1 (or from where the reading began). */
  readonly number: number;
  /** First byte in the file, and the byte after the last one, line feed not included. */
  readonly start: number;
  readonly end: number;
  /** The line without its line feed or byte order mark; only valid during the call. */
  readonly bytes: Buffer;
  /** How many bytes of long strings were left out; 0 for all but huge lines. */
  readonly cut: number;
  /** False only for a last line that lacks its line feed. */
  readonly ended: boolean;
  /** Set where even the shrunk line was too large to be held whole. */
  readonly isPartial?: boolean;
}

export interface LineOptions extends ByteRange {
  /** Number of the first line. */
  readonly number?: number;
  /** Lines longer than this are shrunk while they are read; beyond `LONGEST_LINE` all are. */
  readonly maxLine?: number;
  /** What is kept of each string in a shrunk line, in bytes. */
  readonly keep?: number;
  /** Longer lines are not held at all: they are visited with no bytes and all of them `cut`, to be read apart. */
  readonly skipLong?: boolean;
  /**
   * Looks at a line among the bytes around it: true when it need not be visited, as nobody wants it or it was read there
   * and then. `number` and `at` are its number and its first byte in the file. Not every line comes by here first.
   */
  readonly pass?: (bytes: Buffer, start: number, end: number, number: number, at: number) => boolean;
}

/** Where a reading ended. */
export interface LinesEnd {
  /** The byte after the last line feed. */
  readonly offset: number;
  /** Number of the line that ends there. */
  readonly lines: number;
  /** Nothing lies behind that line feed. */
  readonly ended: boolean;
}

export const MAX_LINE = 4 << 20;
export const KEEP = 64 << 10;
/**
 * No line is kept beyond this size, for any caller: as text, parsed and printed it takes several times as much memory.
 */
export const LONGEST_LINE = 64 << 20;
/** What is kept of each string of lines beyond that for callers that want as much as there can be. */
const KEEP_WHOLE = 16 << 20;

export const keepOf = (maxLine: number): number => (maxLine > MAX_LINE ? KEEP_WHOLE : KEEP);

const LF = 10;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Calls `visit` for every line. It is called synchronously: a promise for each of a million lines would cost more than parsing them. */
export async function eachLine(
  fs: SessionFs,
  path: string,
  visit: (line: Line) => void,
  options: Partial<LineOptions> = {},
): Promise<LinesEnd> {
  const { pass } = options;
  const maxLine = Math.min(options.maxLine ?? MAX_LINE, LONGEST_LINE);
  let number = options.number ?? 1;
  let lineStart = options.start ?? 0;
  let pending: Buffer[] = [];
  let pendingSize = 0;
  let shrinker: Shrinker | undefined;
  let skipping = false;

  const emit = (piece: Buffer, end: number, ended: boolean): void => {
    let bytes = piece;
    let cut = 0;
    let isPartial = false;
    if (skipping || (options.skipLong && end - lineStart > maxLine)) {
      bytes = Buffer.alloc(0);
      cut = end - lineStart;
      skipping = false;
    } else if (shrinker) {
      shrinker.push(piece);
      ({ bytes, cut, isPartial } = shrinker.end());
      shrinker = undefined;
    } else if (pending.length > 0) {
      bytes = Buffer.concat([...pending, piece], pendingSize + piece.length);
    }
    pending = [];
    pendingSize = 0;
    if (lineStart === 0 && bytes.subarray(0, 3).equals(BOM)) bytes = bytes.subarray(3);
    visit({
      number: number++,
      start: lineStart,
      end,
      bytes,
      cut,
      ended,
      ...(isPartial && { isPartial }),
    });
  };
  const hold = (piece: Buffer): void => {
    if (skipping) return;
    if (shrinker) {
      shrinker.push(piece);
      return;
    }
    pendingSize += piece.length;
    pending.push(Buffer.from(piece)); // a copy: the chunk's buffer is reused
    if (pendingSize <= maxLine) return;
    if (options.skipLong) {
      skipping = true;
      pending = [];
      pendingSize = 0;
      return;
    }
    shrinker = createShrinker(options.keep ?? keepOf(maxLine));
    for (const held of pending) shrinker.push(held);
    pending = [];
    pendingSize = 0;
  };

  let position = lineStart;
  for await (const raw of fs.chunks(path, {
    start: lineStart,
    ...(options.end !== undefined && { end: options.end }),
  })) {
    const chunk = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    let at = 0;
    for (let feed = chunk.indexOf(LF); feed >= 0; feed = chunk.indexOf(LF, at)) {
      const isWhole = at > 0 || position === lineStart;
      if (isWhole && pass?.(chunk, at, feed, number, lineStart)) number++;
      else emit(chunk.subarray(at, feed), position + feed, true);
      at = feed + 1;
      lineStart = position + at;
    }
    if (at < chunk.length) hold(chunk.subarray(at));
    position += chunk.length;
  }
  const end = { offset: lineStart, lines: number - 1, ended: position === lineStart };
  if (!end.ended) emit(Buffer.alloc(0), position, false);
  return end;
}
