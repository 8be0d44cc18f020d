/** The pieces of a reduced log: byte ranges of the old one where possible, with new text between them. */
import type { Piece } from "../../../../model/plan.ts";
import type { Line } from "../../../../platform/fs/lines.ts";

/** What stays the same on both sides of a change is told by its place once it is longer than telling that takes. */
const WORTH_A_RANGE = 512;

export interface Pieces {
  keep(start: number, end: number): void;
  write(text: string): void;
  /** The line's other text; what of it is as it was is told by its place. */
  change(line: Line, text: string): void;
  all(): readonly Piece[];
}

export function createPieces(file: string): Pieces {
  const pieces: Piece[] = [];
  const keep = (start: number, end: number): void => {
    if (end <= start) return;
    const last = pieces.at(-1);
    if (last && "file" in last && last.end === start)
      pieces[pieces.length - 1] = { file, start: last.start, end };
    else pieces.push({ file, start, end });
  };
  const write = (text: string): void => {
    if (text !== "") pieces.push({ text });
  };
  return {
    keep,
    write,
    change(line, text) {
      const [before, after] = [line.bytes, Buffer.from(text)];
      const start = line.end - before.length; // behind a byte order mark, where there is one
      keep(line.start, start);
      const most = Math.min(before.length, after.length);
      let head = 0;
      while (head < most && before[head] === after[head]) head++;
      let tail = 0;
      while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
        tail++;
      head = head < WORTH_A_RANGE ? 0 : wholeCharacters(after, head);
      tail = tail < WORTH_A_RANGE ? 0 : after.length - wholeCharactersFrom(after, after.length - tail);
      keep(start, start + head);
      write(after.toString("utf8", head, after.length - tail));
      keep(line.end - tail, line.end);
    },
    all: () => pieces,
  };
}

const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Places between characters, as a piece of new text is no half of one. */
function wholeCharacters(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place > 0 && isInside(bytes[place])) place--;
  return place;
}
function wholeCharactersFrom(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place < bytes.length && isInside(bytes[place])) place++;
  return place;
}
