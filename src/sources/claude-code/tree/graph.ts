/** The rows of a transcript by what follows what, as they stand in the file and as the program has them once it has read it. */
import type { FirstPass } from "./first-pass.ts";
import { NONE, type RowTable } from "./row-table.ts";
import type { Boundary } from "./rows.ts";

export interface Graph {
  readonly table: RowTable;
  /** All but the progress rows, by their places. A row of a side chain counts only where the main line hangs on it. */
  readonly rows: readonly number[];
  find(name: number): number;
  /** The name of a row's parent, where a `progress` row counts as its own parent. */
  parentOf(row: number): number;
  /** The last row that a compaction preserved, by its summary: the one ends with the other. */
  readonly behind?: ReadonlyMap<number, number>;
  readonly marks: FirstPass["marks"];
  readonly rewinds: NonNullable<FirstPass["rewinds"]>;
}

export function toGraph({ rows: table, marks, rewinds = [] }: FirstPass): Graph {
  const isProgress = (row: number): boolean => row !== NONE && table.kind(row) === "progress";
  const rows: number[] = [];
  for (let row = 0; row < table.size; row++) if (table.isLast(row) && !isProgress(row)) rows.push(row);
  rows.sort((a, b) => table.place(a) - table.place(b));
  return {
    table,
    rows,
    marks,
    rewinds,
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

/**
 * The rows as the program has them once it has read the file. When a compaction says what it preserves, all other rows
 * before the last boundary are forgotten: a mark on one of them is unknown, and what followed one follows what is
 * preserved. That follows the summary, and what followed the summary follows that. Where one of the preserved rows is
 * missing, nothing of this is done.
 */
export function asRead(graph: Graph): Graph {
  const { table } = graph;
  const boundaryOf = (row: number): Boundary | undefined => table.details.get(row)?.boundary;
  const boundaries = graph.rows.filter((row) => boundaryOf(row));
  const last = boundaries.at(-1);
  const boundary = last === undefined ? undefined : boundaryOf(last);
  if (last === undefined || !boundary || !boundaries.some((row) => boundaryOf(row)?.forgets)) return graph;
  const kept = boundary.preserved.map((uuid) => graph.find(table.names.of(uuid)));
  if (kept.includes(NONE)) return graph;
  const anchor = boundary.anchor === undefined ? NONE : table.names.of(boundary.anchor);
  const tail = kept.at(-1);
  const parents = new Map(kept.map((row, at) => [row, at === 0 ? anchor : table.name(kept[at - 1] ?? row)]));
  const preserved = new Set(kept);
  const isThere = (row: number): boolean => table.place(row) >= table.place(last) || preserved.has(row);
  const isForgotten = (row: number): boolean => row !== NONE && !isThere(row);
  return {
    ...graph,
    rows: graph.rows.filter(isThere),
    find(name) {
      const row = graph.find(name);
      return isForgotten(row) ? NONE : row;
    },
    parentOf(row) {
      const parent = graph.parentOf(row);
      // Also where the summary itself is lost.
      if (tail === undefined) return parent;
      const isMoved = parent === anchor || (isMessage(table, row) && isForgotten(graph.find(parent)));
      return parents.get(row) ?? (isMoved ? table.name(tail) : parent);
    },
    ...(tail !== undefined && { behind: new Map([[graph.find(anchor), tail]]) }),
  };
}

export const isMessage = (table: RowTable, row: number): boolean =>
  table.kind(row) === "user" || table.kind(row) === "assistant";
