/** The content of rows: what fits is kept from the first pass, the rest is read again by its byte range. */
import { eachLine, type Line, MAX_LINE } from "../../platform/lines.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { openWindow } from "../../platform/window.ts";
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
  /** A row that was kept; it is asked for once. */
  find(row: Row): LoadedRow | undefined;
  /** Reads a row again; nothing when the file changed under our hands. */
  load(row: Row): Promise<LoadedRow | undefined>;
  close(): Promise<void>;
}

/** Most sessions fit, and parsing is most of the work; the few large ones must not fill the memory. */
const ROOM = 2 << 20;
/** Room of their own for huge lines, small once they are cut, because reading those again costs most. */
const ROOM_FOR_CUT = 2 << 20;

export function openRows(fs: SessionFs, path: string, maxLine = MAX_LINE): RowReader {
  const kept = new Map<Row, LoadedRow>();
  const room = { whole: ROOM, cut: ROOM_FOR_CUT };
  const window = openWindow(fs, path);

  return {
    keep(loaded) {
      const { row, cut } = loaded;
      if (row.isMute) return;
      const kind = cut > 0 ? "cut" : "whole";
      room[kind] -= row.end - row.start - cut;
      if (room[kind] > 0) kept.set(row, loaded);
    },
    find(row) {
      const loaded = kept.get(row);
      kept.delete(row);
      return loaded;
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
      const line = withoutMark(await window.get(from, to));
      take({ number: row.line, start: from, end: to, bytes: line, cut: 0, ended: true });
      return loaded;
    },
    close: () => window.close(),
  };
}

/** A byte order mark can only stand before the first row. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
