/** Which rows make the conversation: Claude Code's own rules for the end of the chain and the way back from it. */
import { type Bridges, createBridges } from "./bridges.ts";
import type { FirstPass, LeafMark } from "./first-pass.ts";
import { marked, withParallelRows } from "./parallel.ts";
import { NONE, type RowTable } from "./row-table.ts";

/** A row whose parent is not in the file, or not named; `bridge` is the row that stands in for it. */
export interface Break {
  readonly row: number;
  readonly bridge?: number;
}

/** Rows by their numbers in the table. */
export interface Chain {
  readonly rows: readonly number[];
  readonly breaks: readonly Break[];
  /** Why Claude Code says "No conversation found", and the row that is to blame. */
  readonly refusal?: Refusal;
}

export interface Refusal {
  readonly row: number;
  readonly why: string;
}

/** What Claude Code takes up on resume: everything before the newest compaction is gone, apart from what it preserved. */
export function chainForModel({ rows: table, mark }: FirstPass): Chain {
  const graph = toGraph(table);
  const { rows, breaks } = walk(graph, findLeaf(graph, mark).leaf, false);
  const left = cutAtBoundary(graph, rows);
  return { rows: withParallelRows(table, rowsInReach(graph, left), left), breaks };
}

/** What a reader wants to see: the same conversation with the turns before a compaction or a missing row. */
export function chainForReader({ rows: table, mark }: FirstPass): Chain {
  const graph = toGraph(table);
  const end = findLeaf(graph, mark);
  const { rows, breaks } = walk(graph, end.leaf, true);
  const refusal = end.refusal ?? untimed(table, rows);
  return { rows: withParallelRows(table, graph.rows, rows), breaks, ...(refusal && { refusal }) };
}

/** The program picks a conversation by the time of its last message. */
function untimed(table: RowTable, rows: readonly number[]): Refusal | undefined {
  const row = rows.findLast((one) => table.kind(one) === "user" || table.kind(one) === "assistant");
  if (row === undefined || table.time(row) !== undefined) return undefined;
  return { row, why: "the last message of the conversation has no valid timestamp" };
}

interface Graph {
  readonly table: RowTable;
  /** All but the progress rows, in file order. A row of a side chain counts only where the main line hangs on it. */
  readonly rows: readonly number[];
  find(name: number): number;
  /** The name of a row's parent, where a `progress` row counts as its own parent. */
  parentOf(row: number): number;
}

function toGraph(table: RowTable): Graph {
  const isProgress = (row: number): boolean => row !== NONE && table.kind(row) === "progress";
  const rows: number[] = [];
  for (let row = 0; row < table.size; row++) if (table.isLast(row) && !isProgress(row)) rows.push(row);
  return {
    table,
    rows,
    find(name) {
      const row = table.find(name);
      return isProgress(row) ? NONE : row;
    },
    parentOf(row) {
      let parent = table.parent(row);
      let above = table.find(parent);
      if (!isProgress(above)) return parent;
      for (const seen = new Set<number>(); isProgress(above); above = table.find(parent)) {
        if (seen.has(above)) return NONE;
        seen.add(above);
        parent = table.parent(above);
      }
      return parent;
    },
  };
}

function findLeaf(graph: Graph, mark: LeafMark | undefined): { leaf: number; refusal?: Refusal } {
  const { table } = graph;
  const last = graph.rows.findLast((row) => !table.isSidechain(row));
  if (last === undefined) return { leaf: NONE };
  if (!mark) return { leaf: newestBelow(graph, last) };
  const row = graph.find(table.names.of(mark.leaf));
  const isCut = mark.explicit && !mark.followed;
  if (row === NONE || (!isCut && descendsFrom(graph, last, row))) return { leaf: last };
  if (!table.isSidechain(row)) return { leaf: row };
  return { leaf: last, refusal: { row, why: "a row of a side chain is marked as the end" } };
}

/** Rows may be out of order in a file written by other hands: then the end is not the last line. */
function newestBelow(graph: Graph, start: number): number {
  const { table } = graph;
  const timeOf = (row: number): number => table.time(row) ?? 0;
  if (!graph.rows.some((row) => table.parent(row) === table.name(start))) return start;
  const children = Map.groupBy(graph.rows, (row) => graph.parentOf(row));
  const seen = new Set<number>([start]);
  let newest = start;
  for (const row of seen) {
    for (const child of children.get(table.name(row)) ?? []) seen.add(child);
    if (!table.isSidechain(row) && timeOf(row) > timeOf(newest)) newest = row;
  }
  return newest;
}

function descendsFrom(graph: Graph, row: number, ancestor: number): boolean {
  const seen = new Uint8Array(graph.table.size);
  for (let at = row; at !== NONE && !seen[at]; at = graph.find(graph.parentOf(at))) {
    if (at === ancestor) return true;
    seen[at] = 1;
  }
  return false;
}

/** From the leaf back to the start. The reader continues where the program stops: past a boundary, and over a gap. */
function walk(graph: Graph, leaf: number, forReader: boolean): { rows: number[]; breaks: Break[] } {
  const { table } = graph;
  const breaks: Break[] = [];
  const rows: number[] = [];
  const taken = new Uint8Array(table.size);
  const bridges = new Map<boolean, Bridges>();
  const bridgesFor = (row: number): Bridges => {
    const isSide = table.isSidechain(row);
    // The main line is never continued on a side chain, nor by the program the other way round.
    const may = (one: number): boolean => table.isSidechain(one) === isSide || (isSide && forReader);
    const known = bridges.get(isSide) ?? createBridges(table, graph.rows.filter(may), taken);
    bridges.set(isSide, known);
    return known;
  };
  const parentOf = (row: number): number => {
    const parent = graph.parentOf(row);
    const logical = forReader && parent === NONE ? table.details.get(row)?.logicalParent : undefined;
    return logical === undefined ? parent : table.names.of(logical);
  };
  const step = (row: number): number => {
    const parent = parentOf(row);
    const above = graph.find(parent);
    if (above !== NONE || (table.isRoot(row) && !table.details.get(row)?.boundary)) return above;
    const isNamed = parent !== NONE;
    const bridge = forReader ? bridgesFor(row).inFile(row) : isNamed ? bridgesFor(row).inTime(row) : NONE;
    if (bridge !== NONE || isNamed) breaks.push({ row, ...(bridge !== NONE && { bridge }) });
    return bridge;
  };
  for (let at = leaf; at !== NONE && !taken[at]; at = step(at)) {
    rows.push(at);
    taken[at] = 1;
  }
  return { rows: rows.reverse(), breaks: breaks.reverse() };
}

/** Only what follows the newest boundary, with the rows it preserved put behind its summary. */
function cutAtBoundary({ table, find }: Graph, rows: readonly number[]): readonly number[] {
  const at = rows.findLastIndex((row) => table.details.get(row)?.boundary);
  const boundary = table.details.get(rows[at] ?? NONE)?.boundary;
  if (!boundary) return rows;
  const after = rows.slice(at);
  const preserved = boundary.preserved.map((uuid) => find(table.names.of(uuid)));
  const anchor = after.findIndex((row) => table.names.text(table.name(row)) === boundary.anchor);
  if (anchor < 0 || preserved.includes(NONE)) return after;
  const kept = marked(table, preserved);
  const rest = after.slice(anchor + 1).filter((row) => !kept[row]);
  return [...after.slice(0, anchor + 1), ...preserved, ...rest];
}

/** Behind a boundary nothing that it did not preserve comes back, not even the rest of a reply. */
function rowsInReach({ table, rows: all }: Graph, rows: readonly number[]): readonly number[] {
  const [first] = rows;
  if (first === undefined || !table.details.get(first)?.boundary) return all;
  const kept = marked(table, rows);
  return all.filter((row) => kept[row] || row > first);
}
