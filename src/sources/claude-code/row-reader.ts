/** The second pass: the rows of the conversation, read by their byte ranges through one window on the file. */
import { eachLine, MAX_LINE } from "../../platform/lines.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { decodeLine, type JsonObject } from "../jsonl.ts";
import type { Row } from "./records.ts";

/** Rows of a conversation mostly lie side by side; one read serves many of them. */
const WINDOW = 256 << 10;

export interface LoadedRow {
  readonly row: Row;
  readonly record: JsonObject;
  /** Bytes of long texts left out of a huge line. */
  readonly cut: number;
}

export interface RowReader {
  /** Nothing when the file changed under our hands since the first pass. */
  load(row: Row): Promise<LoadedRow | undefined>;
}

export function openRows(fs: SessionFs, path: string, maxLine = MAX_LINE): RowReader {
  let start = 0;
  let bytes: Buffer = Buffer.alloc(0);

  const fill = async (row: Row): Promise<void> => {
    const end = Math.max(row.origin.end, row.origin.start + WINDOW);
    const piece = await fs.read(path, { start: row.origin.start, end });
    start = row.origin.start;
    bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  };

  return {
    async load(row) {
      const { origin } = row;
      let loaded: LoadedRow | undefined;
      const take = (line: Parameters<Parameters<typeof eachLine>[2]>[0]): void => {
        const decoded = decodeLine(line);
        if (decoded.kind === "record" && decoded.record.uuid === row.uuid)
          loaded = { row, record: decoded.record, cut: line.cut };
      };
      if (origin.end - origin.start > maxLine) {
        await eachLine(fs, path, take, { start: origin.start, end: origin.end, maxLine });
        return loaded;
      }
      if (origin.start < start || origin.end > start + bytes.length) await fill(row);
      const line = withoutMark(bytes.subarray(origin.start - start, origin.end - start));
      take({ number: origin.line, start: origin.start, end: origin.end, bytes: line, cut: 0, ended: true });
      return loaded;
    },
  };
}

/** A byte order mark can only stand before the first row. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
