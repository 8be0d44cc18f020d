/** Hashes a file of any SessionFs in chunks. */
import { createHash, hash } from "node:crypto";
import type { SessionFs } from "./session-fs.ts";

/** Of its first bytes only where `end` is given. */
export async function hashOf(fs: Pick<SessionFs, "chunks">, path: string, end?: number): Promise<string> {
  const sum = createHash("sha256");
  for await (const chunk of fs.chunks(path, { start: 0, ...(end !== undefined && { end }) }))
    sum.update(chunk);
  return sum.digest("hex");
}

/** The hash of each block of this size, the last of which may be shorter. */
export async function hashBlocks(
  fs: Pick<SessionFs, "chunks">,
  path: string,
  size: number,
): Promise<string[]> {
  const hashes: string[] = [];
  for await (const block of blocksOf(fs.chunks(path), size)) hashes.push(hash("sha256", block));
  return hashes;
}

/** Every block but the last is full, and valid until the next one is asked for. */
export async function* blocksOf(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const chunk of chunks)
    for (let taken = 0; taken < chunk.length; ) {
      const piece = chunk.subarray(taken, taken + size - filled);
      buffer.set(piece, filled);
      filled += piece.length;
      taken += piece.length;
      if (filled < size) continue;
      yield buffer;
      filled = 0;
    }
  if (filled > 0) yield buffer.subarray(0, filled);
}
