/** The content of rows: what fits is kept from the first pass, the rest is read again by its byte range. */
import { eachLine, type Line, MAX_LINE } from "../../platform/lines.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { decodeLine, type JsonObject } from "../jsonl.ts";
import type { Row } from "./rows.ts";

export interface LoadedRow {
  readonly row: Row;
  readonly record: JsonObject;
  /** Bytes of long texts left out of a huge line. */
  readonly cut: number;
}

export interface RowReader {
  /** Keeps a row for later, as long as there is room. */
  keep(loaded: LoadedRow): void;
  /** A row that was kept. */
  find(row: Row): LoadedRow | undefined;
  /** Reads a row again; nothing when the file changed under our hands. */
  load(row: Row): Promise<LoadedRow | undefined>;
}

/** Most sessions fit, and parsing is most of the work; the few large ones must not fill the memory. */
const ROOM = 4 << 20;
/** Rows of a conversation mostly lie side by side; one read serves many of them. */
const WINDOW = 64 << 10;

export function openRows(fs: SessionFs, path: string, maxLine = MAX_LINE): RowReader {
  const kept = new Map<Row, JsonObject>();
  let room = ROOM;
  let start = 0;
  let bytes: Buffer = Buffer.alloc(0);

  const fill = async (row: Row): Promise<void> => {
    const end = Math.max(row.end, row.start + WINDOW);
    const piece = await fs.read(path, { start: row.start, end });
    start = row.start;
    bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  };

  return {
    keep({ row, record, cut }) {
      if (row.isMute || cut > 0) return;
      room -= row.end - row.start;
      if (room > 0) kept.set(row, record);
    },
    find(row) {
      const record = kept.get(row);
      return record && { row, record, cut: 0 };
    },
    async load(row) {
      const { start: from, end: to } = row;
      let loaded: LoadedRow | undefined;
      const take = (line: Line): void => {
        const decoded = decodeLine(line);
        if (decoded.kind === "record" && decoded.record.uuid === row.uuid)
          loaded = { row, record: decoded.record, cut: line.cut };
      };
      if (to - from > maxLine) {
        await eachLine(fs, path, take, { start: from, end: to, maxLine });
        return loaded;
      }
      if (from < start || to > start + bytes.length) await fill(row);
      const line = withoutMark(bytes.subarray(from - start, to - start));
      take({ number: row.line, start: from, end: to, bytes: line, cut: 0, ended: true });
      return loaded;
    },
  };
}

/** A byte order mark can only stand before the first row. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
