/** The rows of a transcript, numbered in file order and packed into numbers, so that the shape of a huge one fits. */
import type { Origin } from "../../model/session.ts";
import { createNames, type Names } from "./names.ts";
import { createPaged } from "./paged.ts";
import type { Row, RowDetails, RowKind } from "./rows.ts";

/** Instead of a row or a name, where there is none. */
export const NONE = -1;

export interface RowTable {
  /** Rows are numbered from 0 up to this. */
  readonly size: number;
  /** The ids of rows, replies and calls. */
  readonly names: Names;
  /** What only few rows have, by row. */
  readonly details: ReadonlyMap<number, RowDetails>;
  /** Gives back its number. A row written again counts where it stands last. */
  add(row: Row): number;
  /** The row of that name. */
  find(name: number): number;
  /** False for a row that was written again later. */
  isLast(row: number): boolean;
  name(row: number): number;
  /** The name of the row before it, which need not be there. */
  parent(row: number): number;
  kind(row: number): RowKind;
  isRoot(row: number): boolean;
  isSidechain(row: number): boolean;
  isMute(row: number): boolean;
  time(row: number): number | undefined;
  start(row: number): number;
  end(row: number): number;
  /** The reply it is part of; a row without one is a reply of its own. */
  reply(row: number): number;
  calls(row: number): readonly number[];
  answers(row: number): readonly number[];
  origin(row: number): Origin;
}

const KINDS: readonly RowKind[] = ["user", "assistant", "system", "attachment", "progress"];
const KIND_BITS = 7;
const ROOT = 8;
const SIDECHAIN = 16;
const MUTE = 32;
const NOTHING: readonly number[] = [];

/** The fields of a row in the pages. Its call ids begin at `IDS` of their own list and end where the next row's begin. */
const [NAME, PARENT, REPLY, BITS, LINE, START, END, TIME, IDS, FIELDS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** `file` is named in every origin: the log of a sub-agent. */
export function createRowTable(file?: string): RowTable {
  const names = createNames();
  const cells = createPaged(FIELDS);
  const ids = createPaged(1);
  /** Row of each name, plus one. */
  const rows = createPaged(1);
  const details = new Map<number, RowDetails>();
  let size = 0;
  let idCount = 0;
  /** Most rows follow the one before. */
  let before: { uuid?: string; name: number } = { name: NONE };

  const idsOf = (row: number): readonly number[] => {
    const end = row + 1 < size ? cells.get(row + 1, IDS) : idCount;
    let at = cells.get(row, IDS);
    if (at === end) return NOTHING;
    const list: number[] = [];
    for (; at < end; at++) list.push(ids.get(at, 0));
    return list;
  };
  const parentOf = ({ parent }: Row): number => {
    if (parent === undefined) return NONE;
    return parent === before.uuid ? before.name : names.of(parent);
  };
  const has = (row: number, bit: number): boolean => (cells.get(row, BITS) & bit) !== 0;
  const kind = (row: number): RowKind => KINDS[cells.get(row, BITS) & KIND_BITS] as RowKind;

  return {
    get size() {
      return size;
    },
    names,
    details,
    add(row) {
      const at = size++;
      const name = names.of(row.uuid);
      rows.set(name, 0, at + 1);
      cells.set(at, NAME, name);
      cells.set(at, PARENT, parentOf(row));
      before = { uuid: row.uuid, name };
      cells.set(at, REPLY, row.messageId === undefined ? name : names.of(row.messageId));
      cells.set(at, BITS, bitsOf(row));
      cells.set(at, LINE, row.line);
      cells.set(at, START, row.start);
      cells.set(at, END, row.end);
      cells.set(at, TIME, row.time ?? Number.NaN);
      cells.set(at, IDS, idCount);
      // An answer of the model holds calls, words of the user hold results; no row holds both.
      for (const id of row.calls) ids.set(idCount++, 0, names.of(id));
      for (const id of row.answers) ids.set(idCount++, 0, names.of(id));
      if (row.details) details.set(at, row.details);
      return at;
    },
    find: (name) => (name === NONE ? NONE : rows.get(name, 0) - 1),
    isLast: (row) => rows.get(cells.get(row, NAME), 0) === row + 1,
    name: (row) => cells.get(row, NAME),
    parent: (row) => cells.get(row, PARENT),
    kind,
    isRoot: (row) => has(row, ROOT),
    isSidechain: (row) => has(row, SIDECHAIN),
    isMute: (row) => has(row, MUTE),
    time(row) {
      const time = cells.get(row, TIME);
      return Number.isNaN(time) ? undefined : time;
    },
    start: (row) => cells.get(row, START),
    end: (row) => cells.get(row, END),
    reply: (row) => cells.get(row, REPLY),
    calls: (row) => (kind(row) === "assistant" ? idsOf(row) : NOTHING),
    answers: (row) => (kind(row) === "user" ? idsOf(row) : NOTHING),
    origin(row) {
      const [line, start, end] = [cells.get(row, LINE), cells.get(row, START), cells.get(row, END)];
      return file === undefined ? { line, start, end } : { file, line, start, end };
    },
  };
}

const bitsOf = (row: Row): number =>
  KINDS.indexOf(row.kind) |
  (row.isRoot ? ROOT : 0) |
  (row.sidechain ? SIDECHAIN : 0) |
  (row.isMute ? MUTE : 0);
