/** Hashes a file on disk in chunks. */
import { createHash, hash } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import { openRegular } from "./regular-file.ts";

const CHUNK = 1 << 20;

/** Of its first bytes only where `end` is given. */
export function hashFile(path: string, end = Number.POSITIVE_INFINITY): string {
  const sum = createHash("sha256");
  for (const chunk of chunksOf(path, end)) sum.update(chunk);
  return sum.digest("hex");
}

/** The hash of each piece of this size, the last of which may be shorter. */
export const hashPieces = (path: string, size: number): string[] =>
  Array.from(chunksOf(path, Number.POSITIVE_INFINITY, size), (chunk) => hash("sha256", chunk));

/** Every chunk but the last is full, and valid until the next one is asked for. */
function* chunksOf(path: string, end: number, size = CHUNK): Generator<Uint8Array> {
  const fd = openRegular(path);
  try {
    const buffer = Buffer.allocUnsafe(size);
    for (let at = 0; at < end; ) {
      let filled = 0;
      while (filled < size && at + filled < end) {
        const got = readSync(fd, buffer, filled, Math.min(size - filled, end - at - filled), at + filled);
        if (got === 0) break;
        filled += got;
      }
      if (filled > 0) yield buffer.subarray(0, filled);
      at += filled;
      if (filled < size) return;
    }
  } finally {
    closeSync(fd);
  }
}
