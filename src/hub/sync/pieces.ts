/** Cuts a file into the pieces in which it is sent, at the ends of lines where it has any. */
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { LARGEST_PIECE } from "../protocol.ts";

export interface PlainPiece {
  readonly start: number;
  readonly bytes: Uint8Array;
  /** How many lines end in it. */
  readonly lines: number;
}

const LF = 10;

/** `first` is the largest size of the first piece, where that must not be the one that was sent before. */
export async function* cutPieces(
  fs: Pick<SessionFs, "read">,
  path: string,
  {
    start,
    end,
    first = LARGEST_PIECE,
  }: { readonly start: number; readonly end: number; readonly first?: number },
): AsyncGenerator<PlainPiece> {
  for (let at = start; at < end; ) {
    const most = at === start ? first : LARGEST_PIECE;
    const window = Buffer.from(await fs.read(path, { start: at, end: Math.min(at + most, end) }));
    const last = at + window.length < end ? window.lastIndexOf(LF) : -1;
    const bytes = last < 0 ? window : window.subarray(0, last + 1);
    yield { start: at, bytes, lines: countLines(bytes) };
    at += bytes.length;
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}
