/** One file of any size that is nowhere: pieces of text, and runs of one byte that are made while they are read. */
import { createMemoryFs } from "../src/platform/fs/memory.ts";
import type { ByteRange, SessionFs } from "../src/platform/fs/session-fs.ts";

export type MadeUpPiece = string | { readonly byte: number; readonly times: number };

export const nuls = (times: number): MadeUpPiece => ({ byte: 0, times });
export const letters = (times: number): MadeUpPiece => ({ byte: 0x61, times });

const CHUNK = 1 << 20;
/** More at once would be held, which is what a file like this is to show. */
const LARGEST_READ = 64 << 20;

export interface MadeUpFs extends SessionFs {
  readonly size: number;
}

export function createMadeUpFs(
  path: string,
  pieces: readonly MadeUpPiece[],
  others: Record<string, string> = {},
): MadeUpFs {
  const fs = createMemoryFs(others);
  const sized = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  const sizeOf = (piece: (typeof sized)[number]): number =>
    Buffer.isBuffer(piece) ? piece.length : piece.times;
  const size = sized.reduce((sum, piece) => sum + sizeOf(piece), 0);
  const runs = new Map<number, Buffer>();
  const run = (byte: number): Buffer => {
    const made = runs.get(byte) ?? Buffer.alloc(CHUNK, byte);
    runs.set(byte, made);
    return made;
  };
  const chunks = function* ({ start, end = size }: ByteRange): Generator<Buffer> {
    let at = 0;
    for (const piece of sized) {
      const to = Math.min(end, at + sizeOf(piece));
      for (let from = Math.max(start, at); from < to; ) {
        const length = Math.min(CHUNK, to - from);
        yield Buffer.isBuffer(piece)
          ? piece.subarray(from - at, from - at + length)
          : run(piece.byte).subarray(0, length);
        from += length;
      }
      at += sizeOf(piece);
    }
  };
  return {
    ...fs,
    size,
    async read(asked, range = { start: 0 }) {
      if (asked !== path) return fs.read(asked, range);
      const bytes = Math.min(range.end ?? size, size) - range.start;
      if (bytes > LARGEST_READ) throw new Error(`${bytes} bytes are read at once`);
      return Buffer.concat([...chunks(range)]);
    },
    async *chunks(asked, range = { start: 0 }) {
      if (asked === path) yield* chunks(range);
      else yield* fs.chunks(asked, range);
    },
    exists: async (asked) => asked === path || fs.exists(asked),
    stat: async (asked) =>
      asked === path
        ? { kind: "file", size, mtimeMs: Date.UTC(2026, 0, 2), ino: 1, mode: 0o600 }
        : fs.stat(asked),
  };
}
