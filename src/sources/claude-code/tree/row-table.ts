/** The rows of a transcript, numbered in file order and packed into numbers, so that the shape of a huge one fits. */
import type { Origin } from "../../../model/session/session.ts";
import { createNames, type Names } from "./names.ts";
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
  /** Gives back its number. Of a row written again the last one counts, in the place of the first. */
  add(row: Row): number;
  /** Says something else of a row than what it came with. */
  describe(row: number, details: RowDetails): void;
  /** The row of that name. */
  find(name: number): number;
  /** False for a row that was written again later. */
  isLast(row: number): boolean;
  /** Where it stands among the others: the number of the first row of that name. */
  place(row: number): number;
  name(row: number): number;
  /** The name of the row before it, which need not be there. */
  parent(row: number): number;
  kind(row: number): RowKind;
  isRoot(row: number): boolean;
  isSidechain(row: number): boolean;
  isMute(row: number): boolean;
  isMeta(row: number): boolean;
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
const META = 64;
const NOTHING: readonly number[] = [];

/** The fields of a row. Its call ids begin at `IDS` of their own list and end where the next row's begin. */
const [NAME, PARENT, REPLY, BITS, LINE, IDS] = [0, 1, 2, 3, 4, 5];
const CELLS = 6;
/** Those that a whole number of 32 bits may be too small for. */
const [START, END, TIME] = [0, 1, 2];
const PLACES = 3;

/** `file` is named in every origin: the log of a sub-agent. */
export function createRowTable(file?: string): RowTable {
  const names = createNames();
  const cells = createPaged(CELLS, Int32Array);
  const places = createPaged(PLACES, Float64Array);
  const ids = createPaged(1, Int32Array);
  /** Row of each name, plus one. */
  const rows = createPaged(1, Int32Array);
  const details = new Map<number, RowDetails>();
  /** The first rows of those that were written again. */
  const firsts = new Map<number, number>();
  let size = 0;
  let idCount = 0;
  /** Most rows follow the one before. */
  let uuidBefore: string | undefined;
  let nameBefore = NONE;

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
    return parent === uuidBefore ? nameBefore : names.of(parent);
  };
  const addId = (id: string): void => {
    const at = idCount++;
    ids.page(at)[at & IN_PAGE] = names.of(id);
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
      const known = rows.page(name);
      const earlier = (known[name & IN_PAGE] as number) - 1;
      if (earlier !== NONE) firsts.set(at, firsts.get(earlier) ?? earlier);
      known[name & IN_PAGE] = at + 1;
      const parent = parentOf(row);
      const reply = row.messageId === undefined ? name : names.of(row.messageId);
      const numbers = cells.page(at);
      const cell = (at & IN_PAGE) * CELLS;
      numbers[cell + NAME] = name;
      numbers[cell + PARENT] = parent;
      numbers[cell + REPLY] = reply;
      numbers[cell + BITS] = bitsOf(row);
      numbers[cell + LINE] = row.line;
      numbers[cell + IDS] = idCount;
      const large = places.page(at);
      const place = (at & IN_PAGE) * PLACES;
      large[place + START] = row.start;
      large[place + END] = row.end;
      large[place + TIME] = row.time ?? Number.NaN;
      [uuidBefore, nameBefore] = [row.uuid, name];
      // An answer of the model holds calls, words of the user hold results; no row holds both.
      for (const id of row.calls) addId(id);
      for (const id of row.answers) addId(id);
      if (row.details) details.set(at, row.details);
      return at;
    },
    describe: (row, said) => void details.set(row, said),
    find: (name) => (name === NONE ? NONE : rows.get(name, 0) - 1),
    isLast: (row) => rows.get(cells.get(row, NAME), 0) === row + 1,
    place: (row) => firsts.get(row) ?? row,
    name: (row) => cells.get(row, NAME),
    parent: (row) => cells.get(row, PARENT),
    kind,
    isRoot: (row) => has(row, ROOT),
    isSidechain: (row) => has(row, SIDECHAIN),
    isMute: (row) => has(row, MUTE),
    isMeta: (row) => has(row, META),
    time(row) {
      const time = places.get(row, TIME);
      return Number.isNaN(time) ? undefined : time;
    },
    start: (row) => places.get(row, START),
    end: (row) => places.get(row, END),
    reply: (row) => cells.get(row, REPLY),
    calls: (row) => (kind(row) === "assistant" ? idsOf(row) : NOTHING),
    answers: (row) => (kind(row) === "user" ? idsOf(row) : NOTHING),
    origin(row) {
      const [line, start, end] = [cells.get(row, LINE), places.get(row, START), places.get(row, END)];
      return file === undefined ? { line, start, end } : { file, line, start, end };
    },
  };
}

const bitsOf = (row: Row): number =>
  KINDS.indexOf(row.kind) |
  (row.isRoot ? ROOT : 0) |
  (row.sidechain ? SIDECHAIN : 0) |
  (row.isMute ? MUTE : 0) |
  (row.isMeta ? META : 0);

interface Paged {
  /** What was never set is 0. */
  get(row: number, field: number): number;
  /** Where the fields of a row stand, beginning at its place within the page times their number. */
  page(row: number): Int32Array | Float64Array;
}

const PAGE_BITS = 8;
/** As many rows as most transcripts have: their first page is this small. */
const FEW = 32;
const IN_PAGE = (1 << PAGE_BITS) - 1;

/** Whole numbers up to two thousand million take half the room of others. */
function createPaged(fields: number, Numbers: typeof Int32Array | typeof Float64Array): Paged {
  const pages: (Int32Array | Float64Array)[] = [];
  return {
    get: (row, field) => pages[row >> PAGE_BITS]?.[(row & IN_PAGE) * fields + field] ?? 0,
    page(row) {
      const at = row >> PAGE_BITS;
      const known = pages[at];
      if (known && (row & IN_PAGE) * fields < known.length) return known;
      const page = new Numbers((row < FEW ? FEW : 1 << PAGE_BITS) * fields);
      if (known) page.set(known);
      pages[at] = page;
      return page;
    },
  };
}
