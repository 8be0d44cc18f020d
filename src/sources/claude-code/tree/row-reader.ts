/** The content of rows: what fits is kept from the first pass, the rest is read again by its byte range. */
import type { Origin } from "../../../model/session/session.ts";
import { eachLine, type Line, LONGEST_LINE, MAX_LINE } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { openWindow } from "../../../platform/fs/window.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import { type Decode, decodeWhole } from "../skim.ts";
import type { RowTable } from "./row-table.ts";

export interface Content {
  readonly record: JsonObject;
  /** Bytes of long texts left out, and bytes that were parsed. */
  readonly cut: number;
  readonly size: number;
}

export interface LoadedRow extends Omit<Content, "size"> {
  readonly origin: Origin;
  /** Milliseconds. */
  readonly time: number | undefined;
}

export interface RowReader {
  /** Keeps the content of a row for later, as long as there is room. */
  keep(row: number, content: Content): void;
  /** A row that was kept; it is asked for once. */
  find(table: RowTable, row: number): LoadedRow | undefined;
  /** Reads a row again, by another rule if one is given; nothing when the file changed under our hands. */
  load(table: RowTable, row: number, rule?: Decode): Promise<LoadedRow | undefined>;
  close(): Promise<void>;
}

export interface RowReaderOptions {
  readonly maxLine?: number;
  /** For rows of which only the beginnings are wanted. */
  readonly decode?: Decode;
}

/** Most sessions fit, and parsing is most of the work; the few large ones must not fill the memory. */
const ROOM = 2 << 20;
/** Beginnings are so small that a log of thirty megabytes fits, and need not be read twice. */
const ROOM_FOR_BEGINNINGS = 8 << 20;
/** Room of their own for huge lines, small once they are cut, because reading those again costs most. */
const ROOM_FOR_CUT = 2 << 20;
const HUGE = 1 << 20;

export function openRows(fs: SessionFs, path: string, options: RowReaderOptions = {}): RowReader {
  const { decode = decodeWhole } = options;
  const maxLine = Math.min(options.maxLine ?? MAX_LINE, LONGEST_LINE);
  const kept = new Map<number, Content>();
  const room = { whole: options.decode ? ROOM_FOR_BEGINNINGS : ROOM, cut: ROOM_FOR_CUT };
  const window = openWindow(fs, path);

  const loaded = (table: RowTable, row: number, { record, cut }: Content): LoadedRow => ({
    record,
    cut,
    origin: table.origin(row),
    time: table.time(row),
  });
  return {
    keep(row, content) {
      const kind = content.cut > HUGE ? "cut" : "whole";
      room[kind] -= content.size;
      if (room[kind] > 0) kept.set(row, content);
    },
    find(table, row) {
      const content = kept.get(row);
      if (!content) return undefined;
      kept.delete(row);
      return loaded(table, row, content);
    },
    async load(table, row, rule = decode) {
      const { line: number, start, end } = table.origin(row);
      let content: Content | undefined;
      const take = (line: Line): void => {
        const decoded = rule(line);
        if (decoded.kind === "record" && decoded.record.uuid === table.names.text(table.name(row)))
          content = decoded;
      };
      if (end - start > maxLine) await eachLine(fs, path, take, { start, end, maxLine });
      else
        take({
          number,
          start,
          end,
          bytes: withoutMark(await window.get(start, end)),
          cut: 0,
          ended: true,
        });
      return content && loaded(table, row, content);
    },
    close: () => window.close(),
  };
}

/** A byte order mark can only stand before the first row. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
