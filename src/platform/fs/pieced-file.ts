/** A file system in which one file is made of pieces of others, so that it can be read before it is written. */
import { type Piece, sizeOfPieces } from "../../model/plan.ts";
import { refuseTooLarge, type SessionFs } from "./session-fs.ts";

/** Reading goes through it; writing does not. */
export function withPiecedFile(fs: SessionFs, path: string, pieces: readonly Piece[]): SessionFs {
  const size = sizeOfPieces(pieces);
  const chunks: SessionFs["chunks"] = async function* (name, range) {
    if (name !== path) yield* fs.chunks(name, range);
    else
      for (const piece of slicePieces(pieces, range?.start ?? 0, range?.end ?? size))
        if ("file" in piece) yield* fs.chunks(piece.file, { start: piece.start, end: piece.end });
        else yield bytesOf(piece);
  };
  return {
    ...fs,
    chunks,
    async read(name, range) {
      if (name !== path) return fs.read(name, range);
      refuseTooLarge(path, Math.min(range?.end ?? size, size) - (range?.start ?? 0));
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks(name, range)) parts.push(Buffer.from(chunk));
      return Buffer.concat(parts);
    },
    stat: async (name) => (name === path ? { ...(await fs.stat(name)), size } : fs.stat(name)),
  };
}

/** Pieces of that file as pieces of the files that it is made of; all others stay. */
export const throughPieces = (
  wanted: readonly Piece[],
  path: string,
  pieces: readonly Piece[],
): readonly Piece[] =>
  wanted.flatMap((piece) => {
    if (!("file" in piece) || piece.file !== path) return [piece];
    const found = slicePieces(pieces, piece.start, piece.end);
    return piece.oneLine ? found.map((each) => ("file" in each ? { ...each, oneLine: true } : each)) : found;
  });

/** What lies between two places, as pieces; a text is only cut where a character ends. */
function slicePieces(pieces: readonly Piece[], start: number, end: number): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const size = sizeOfPieces([piece]);
    const [from, to] = [Math.max(0, start - at), Math.min(size, end - at)];
    at += size;
    if (from >= to) continue;
    if ("file" in piece) found.push({ ...piece, start: piece.start + from, end: piece.start + to });
    else if (from === 0 && to === size) found.push(piece);
    else found.push({ text: bytesOf(piece).toString("utf8", from, to) });
  }
  return found;
}

function bytesOf(piece: Piece): Buffer {
  if ("text" in piece) return Buffer.from(piece.text);
  if ("base64" in piece) return Buffer.from(piece.base64, "base64");
  throw new Error("bytes of the vault are not read here");
}
