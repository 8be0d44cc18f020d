/** The end of a conversation: the row that was written last, the one that is marked, or what the program takes for it. */
import type { LeafMark } from "./first-pass.ts";
import { type Graph, isMessage } from "./graph.ts";
import { NONE } from "./row-table.ts";

/** Where a conversation ends. */
export interface Leaf {
  readonly leaf: number;
  readonly refusal?: Refusal;
}

export interface Refusal {
  readonly row: number;
  readonly why: string;
  /** It does find one, but leaves out what follows that row. */
  readonly isPartial?: boolean;
}

/** The one that was written last, also if it was so again. */
export const lastOf = ({ table, rows }: Graph): number =>
  rows.reduce((last, row) => (table.isSidechain(row) ? last : Math.max(last, row)), NONE);

export function findLeaf(graph: Graph, mark: LeafMark | undefined): Leaf {
  const { table } = graph;
  const last = lastOf(graph);
  if (last === NONE) return { leaf: NONE };
  const atEnd = (row: number): number => graph.behind?.get(row) ?? row;
  if (!mark) return { leaf: atEnd(newestBelow(graph, last)) };
  const row = graph.find(table.names.of(mark.leaf));
  const isCut = mark.explicit && !mark.followed;
  if (row === NONE || (!isCut && descendsFrom(graph, last, row))) return { leaf: atEnd(last) };
  if (!table.isSidechain(row)) return { leaf: row };
  return { leaf: atEnd(last), refusal: { row, why: "a row of a side chain is marked as the end" } };
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

/**
 * Where the program ends a conversation of which it has put back what a compaction preserved: then it asks which messages
 * nothing follows, and takes the only one, or else the marked one or the one that was written last. Nothing where that is
 * part of a side chain, as it finds no conversation then.
 */
export function leafAsRead(graph: Graph, mark: LeafMark | undefined): number {
  const { table } = graph;
  const usual = findLeaf(graph, mark).leaf;
  const row = mark ? graph.find(table.names.of(mark.leaf)) : NONE;
  const isCut = mark?.explicit && !mark.followed && row !== NONE && !table.isSidechain(row);
  if (!graph.behind || isCut || usual === NONE) return usual;
  const ends = endsOf(graph);
  const last = lastOf(graph);
  const [only] = ends;
  if (ends.size < 2) {
    const end = only ?? NONE;
    if (end === NONE || messageAbove(graph, usual) === end) return usual;
    return table.isSidechain(end) ? NONE : end;
  }
  const isMarked = ends.has(row) && !descendsFrom(graph, last, row);
  const end = messageAbove(graph, isMarked ? row : last);
  return messageAbove(graph, usual) === end ? usual : end;
}

/** The messages that no other follows. */
function endsOf(graph: Graph): ReadonlySet<number> {
  const { table, rows, parentOf } = graph;
  const parents = new Set(rows.map(parentOf));
  const said = new Set(rows.filter((row) => isMessage(table, row)).map(parentOf));
  const ends = rows.filter((row) => !parents.has(table.name(row))).map((row) => messageAbove(graph, row));
  return new Set(ends.filter((row) => row !== NONE && !said.has(table.name(row))));
}

/** The row itself where it is one. */
function messageAbove({ table, find, parentOf }: Graph, row: number): number {
  const seen = new Set<number>();
  let at = row;
  while (at !== NONE && !isMessage(table, at) && !seen.has(at)) {
    seen.add(at);
    at = find(parentOf(at));
  }
  return seen.has(at) ? NONE : at;
}
