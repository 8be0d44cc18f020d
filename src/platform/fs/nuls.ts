/** Skips runs of NUL bytes, as a crash leaves them, much faster than byte by byte. */
const ZEROS = Buffer.alloc(64 << 10);

/** The place behind the NULs that begin at `from`. */
export function behindNuls(bytes: Buffer, from: number): number {
  let at = from;
  while (at + ZEROS.length <= bytes.length && bytes.subarray(at, at + ZEROS.length).equals(ZEROS))
    at += ZEROS.length;
  while (at < bytes.length && bytes[at] === 0) at++;
  return at;
}
