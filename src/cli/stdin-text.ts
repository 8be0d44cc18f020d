/** Reads a text from stdin, as much of it as is of use. */

/** Of one that is longer, all that is needed is to know that it is. */
const MOST_BYTES = 1 << 20;

export async function readStdinText(): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of process.stdin) {
    pieces.push(Buffer.from(piece as Buffer));
    bytes += (piece as Buffer).length;
    if (bytes > MOST_BYTES) break;
  }
  return Buffer.concat(pieces).toString("utf8");
}
