/** Reads one line of a log as it is, by its number. */
import type { SessionFs } from "../../platform/fs/session-fs.ts";

export interface RecordText {
  /** Counted from 1. */
  readonly line: number;
  /** First byte of the record, and the byte after its last one (line feed not included). */
  readonly start: number;
  readonly end: number;
  /** As much as was asked for; bytes that are no UTF-8 are read as U+FFFD. */
  readonly text: string;
  readonly isCut: boolean;
}

/** A line that is known to begin at a byte. */
export interface KnownLine {
  readonly line: number;
  readonly start: number;
}

const LF = 10;

/** A file that is one document, whatever lines it has: then all of it is its only record. */
const isDocument = (path: string): boolean => path.endsWith(".json");

/** Nothing when the file has fewer lines. What comes before the known line and after the wanted one is not read. */
export async function readRecordText(
  fs: Pick<SessionFs, "chunks">,
  path: string,
  wanted: number,
  { most, from = { line: 1, start: 0 } }: { readonly most: number; readonly from?: KnownLine },
): Promise<RecordText | undefined> {
  let { line, start } = from;
  let position = start;
  let held = 0;
  const isWhole = isDocument(path);
  const find = (chunk: Buffer, at: number): number => (isWhole ? -1 : chunk.indexOf(LF, at));
  const pieces: Buffer[] = [];
  const hold = (piece: Buffer): void => {
    if (held < most) pieces.push(Buffer.from(piece.subarray(0, most - held))); // a copy: the chunk's buffer is reused
    held += piece.length;
  };
  const toRecord = (end: number): RecordText => {
    const isCut = held > most;
    // A character that the cut went through is left out.
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(pieces), {
      stream: isCut,
    });
    return { line, start, end, text, isCut };
  };
  for await (const raw of fs.chunks(path, { start })) {
    const chunk = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    let at = 0;
    for (let feed = find(chunk, 0); feed >= 0; feed = find(chunk, at)) {
      if (line === wanted) {
        hold(chunk.subarray(at, feed));
        return toRecord(position + feed);
      }
      line++;
      at = feed + 1;
      start = position + at;
    }
    if (line === wanted) hold(chunk.subarray(at));
    position += chunk.length;
  }
  // Nothing behind the last line feed is no line.
  return line === wanted && position > start ? toRecord(position) : undefined;
}
