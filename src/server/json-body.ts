/** JSON text as the body of an answer, in pieces where it is long. */

import { notePassing } from "../platform/memory.ts";

/** A body that is longer would be made in one buffer, of which the system's allocator never gives all back. */
export const PIECE = 64 << 10;

export interface Body {
  readonly body: string | ReadableStream<Uint8Array>;
  readonly bytes: number;
}

/** The pieces follow each other; none of them ends in the middle of a character. */
export function toBody(pieces: readonly string[]): Body {
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  if (bytes <= PIECE) return { body: pieces.join(""), bytes };
  const encoder = new TextEncoder();
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[at++];
        if (piece === undefined) return controller.close();
        const encoded = encoder.encode(piece);
        notePassing(encoded.length);
        controller.enqueue(encoded);
      },
    },
    { highWaterMark: 1 },
  );
  return { body, bytes };
}

export function toPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let end = Math.min(from + PIECE, text.length);
    // The first half of a pair stays with the second.
    if (end < text.length && isFirstHalf(text.charCodeAt(end - 1))) end--;
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
}

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
