/** Parts of a planned file, found without going through all that is before them: a file may have ten thousands of pieces. */
import { type Piece, sizeOfPieces } from "../../model/plan.ts";

export interface Ranges {
  /** What is between two places, as pieces. Of blocks in the vault all of them, with what to leave out in front. */
  within(start: number, end: number): { readonly pieces: readonly Piece[]; readonly skip: number };
}

export function createRanges(pieces: readonly Piece[]): Ranges {
  const starts = new Float64Array(pieces.length + 1);
  for (const [i, piece] of pieces.entries()) starts[i + 1] = (starts[i] ?? 0) + sizeOfPieces([piece]);
  return {
    within(start, end) {
      const found: Piece[] = [];
      let skip = 0;
      for (let i = firstBehind(starts, start); i < pieces.length && (starts[i] ?? 0) < end; i++) {
        const piece = pieces[i] as Piece;
        const from = Math.max(0, start - (starts[i] ?? 0));
        if ("file" in piece) found.push({ ...piece, start: piece.start + from });
        else {
          if (found.length === 0) skip = from;
          found.push(piece);
        }
      }
      return { pieces: found, skip };
    },
  };
}

/** The piece that a place lies in. */
function firstBehind(starts: Float64Array, place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle + 1] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
