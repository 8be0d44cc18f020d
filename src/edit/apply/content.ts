/** Reads the bytes of a planned file in chunks. */
import { type Piece, sizeOfPieces } from "../../model/plan.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { openWindow, type Window } from "../../platform/fs/window.ts";
import type { Vault } from "../../store/vault/vault.ts";

export interface Sources {
  readonly fs: Pick<SessionFs, "chunks" | "read">;
  readonly vault?: Pick<Vault, "get">;
}

/** Pieces up to this size are gathered: a file may have ten thousands of them. */
const SMALL = 64 << 10;
const FULL = 256 << 10;

/** A chunk is only valid until the next one is asked for. */
export async function* contentOf(pieces: readonly Piece[], sources: Sources): AsyncGenerator<Uint8Array> {
  const windows = new Map<string, Window>();
  const gathered = Buffer.allocUnsafe(pieces.length > 1 ? FULL : 0);
  let filled = 0;
  try {
    for (const piece of pieces) {
      const size = pieces.length > 1 ? sizeOfPieces([piece]) : FULL;
      if (filled > 0 && (size > SMALL || filled + size > FULL)) {
        yield gathered.subarray(0, filled);
        filled = 0;
      }
      if (size > SMALL) yield* chunksOf(piece, sources);
      else filled += await gather(piece, sources, windows, gathered.subarray(filled));
    }
    if (filled > 0) yield gathered.subarray(0, filled);
  } finally {
    for (const window of windows.values()) await window.close();
  }
}

/** All of them, of a file that is known to be small. */
export async function bytesOf(pieces: readonly Piece[], sources: Sources): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of contentOf(pieces, sources)) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

async function* chunksOf(piece: Piece, { fs, vault }: Sources): AsyncGenerator<Uint8Array> {
  if ("text" in piece) yield Buffer.from(piece.text);
  else if ("base64" in piece) yield Buffer.from(piece.base64, "base64");
  else if ("file" in piece) {
    const { file, start, end, oneLine } = piece;
    for await (const chunk of fs.chunks(file, { start, end })) yield oneLine ? onOneLine(chunk) : chunk;
  } else for (const hash of piece.blocks) if (vault) yield vault.get(hash);
}

/** Most pieces of a file are in its own order: one stream through it serves them all. */
async function gather(
  piece: Piece,
  sources: Sources,
  windows: Map<string, Window>,
  into: Buffer,
): Promise<number> {
  let filled = 0;
  if ("file" in piece) {
    const window = windows.get(piece.file) ?? openWindow(sources.fs, piece.file);
    windows.set(piece.file, window);
    const bytes = await window.get(piece.start, piece.end);
    into.set(piece.oneLine ? onOneLine(bytes) : bytes);
    return bytes.length;
  }
  for await (const chunk of chunksOf(piece, sources)) {
    into.set(chunk, filled);
    filled += chunk.length;
  }
  return filled;
}

const [FEED, RETURN, SPACE] = [10, 13, 32];

/** A copy, because the chunk belongs to the reader. */
const onOneLine = (chunk: Uint8Array): Uint8Array =>
  chunk.map((byte) => (byte === FEED || byte === RETURN ? SPACE : byte));
