/** Which rows make the conversation: Claude Code's own rules for the end of the chain and the way back from it. */
import { type Bridges, createBridges } from "./bridges.ts";
import type { FirstPass, LeafMark } from "./first-pass.ts";
import { asRead, type Graph, isMessage, toGraph } from "./graph.ts";
import { findLeaf, type Leaf, lastOf, leafAsRead, type Refusal } from "./leaf.ts";
import { withParallelRows } from "./parallel.ts";
import { createRootCheck, isPrompt } from "./roots.ts";
import { NONE, type RowTable } from "./row-table.ts";

/** A row that does not lead to the one before it; `bridge` is the row that stands in for that one. */
export interface Break {
  readonly row: number;
  readonly bridge?: number;
  /** Its parent is not in the file, or not named; it follows a row that follows it; or it cannot be the first. */
  readonly why: "missing" | "circle" | "root";
}

/** Rows by their numbers in the table. */
export interface Chain {
  readonly rows: readonly number[];
  /** The way from the first row to the last, without the rows of parallel calls beside it. */
  readonly path: readonly number[];
  readonly breaks: readonly Break[];
  /** Why Claude Code says "No conversation found", and the row that is to blame. */
  readonly refusal?: Refusal;
}

/** What Claude Code takes up on resume: everything before the newest compaction is gone, apart from what it preserved. */
export function chainForModel(facts: FirstPass): Chain {
  const { rows: table, mark } = facts;
  const graph = asRead(toGraph(facts));
  const taken = leafAsRead(graph, mark);
  const { rows, breaks } = walk(graph, taken === NONE ? findLeaf(graph, mark).leaf : taken, false);
  const all = withTrailing(graph, rows, withParallelRows(table, graph.rows, rows, false));
  return { rows: cutAtBoundary(graph, all), path: cutAtBoundary(graph, rows), breaks };
}

/** The last row of what Claude Code takes up, as people see it. */
export function leafForModel(facts: FirstPass): number {
  const graph = toGraph(facts);
  return forPeople(graph, { leaf: leafAsRead(asRead(graph), facts.mark) }).leaf;
}

/** What a compaction preserved stays where it was, and the summary is the end. */
function forPeople(graph: Graph, end: Leaf): End {
  const between = createCompactions(graph)(end.leaf, graph.table.size);
  return between ? { ...end, leaf: between.summary, between } : end;
}

function endAsRead(graph: Graph, mark: LeafMark | undefined): End {
  const read = asRead(graph);
  const end = findLeaf(read, mark);
  const taken = leafAsRead(read, mark);
  if (end.refusal || taken === end.leaf) return forPeople(graph, end);
  const why = "nothing says which of several ends of the conversation is the last one";
  const refusal = taken === NONE ? { row: end.leaf, why } : { row: taken, why, isPartial: true };
  return forPeople(graph, { ...end, refusal });
}

/** A compaction between a row that it preserved and the one that follows that row in the conversation as it is sent. */
interface Compaction {
  readonly boundary: number;
  readonly summary: number;
  readonly preserved: number;
}

/**
 * The program goes on behind the last row that a compaction preserved, or behind an earlier one after a rewind: by its
 * name, as if the compaction had never been. Whether a compaction stands between a row and the one that follows it.
 */
function createCompactions({
  table,
  find,
}: Graph): (preserved: number, row: number) => Compaction | undefined {
  const compactions = [...table.details].flatMap(([boundary, { boundary: said }]) => {
    const summary = said?.anchor === undefined ? NONE : find(table.names.of(said.anchor));
    const kept = (said?.preserved ?? []).map((uuid) => find(table.names.of(uuid)));
    // One that lists a row which is gone preserves nothing.
    const isApplied = table.isLast(boundary) && summary !== NONE && !kept.includes(NONE);
    return isApplied ? [{ boundary, summary, kept: new Set(kept) }] : [];
  });
  return (preserved, row) => {
    const found = compactions.findLast(
      ({ boundary, kept }) => preserved < boundary && boundary < row && kept.has(preserved),
    );
    return found && found.summary !== row ? { ...found, preserved } : undefined;
  };
}

/** What a reader wants to see: the same conversation with the turns before a compaction or a missing row. */
export function chainForReader(facts: FirstPass): Chain {
  const { rows: table, mark } = facts;
  const graph = toGraph(facts);
  const end = endForReader(graph, endAsRead(graph, mark), mark);
  const { rows, breaks } = end.walked ?? walk(graph, end.leaf, true, end.between);
  const refusal = end.refusal ?? untimed(table, rows);
  return {
    rows: withTrailing(graph, rows, withParallelRows(table, graph.rows, rows, true)),
    path: rows,
    breaks,
    ...(refusal && { refusal }),
  };
}

interface End extends Leaf {
  /** The compaction that the leaf is the summary of, where it ends with a row that it preserved. */
  readonly between?: Compaction;
}

/**
 * A mark that names an earlier row than the last one ends the conversation there, as the program has it: on purpose where
 * both lie on branches of their own, but not where only a row between them is lost, nor where the turn went on since.
 */
function endForReader(
  graph: Graph,
  end: End,
  mark: LeafMark | undefined,
): End & { readonly walked?: ReturnType<typeof walk> } {
  const { table } = graph;
  const last = lastOf(graph);
  if (!mark || last === NONE || end.leaf === last || (mark.explicit && !mark.followed)) return end;
  const walked = walk(graph, last, true);
  const place = new Map(walked.rows.map((row, at) => [row, at]));
  if (place.has(end.leaf)) return { leaf: last, walked };
  const before = walk(graph, end.leaf, true, end.between).rows;
  const fork = before.findLastIndex((row) => place.has(row));
  const next = walked.rows
    .slice((place.get(before[fork] ?? NONE) ?? -1) + 1)
    .find((row) => isMessage(table, row));
  const isOneTurn =
    mark.followed &&
    fork >= 0 &&
    next !== undefined &&
    !isPrompt(table, next) &&
    !before.slice(fork + 1).some((row) => isPrompt(table, row));
  if (!isOneTurn) return end;
  const why = "a row in the middle of a turn is marked as the end of the conversation";
  return { leaf: last, walked, refusal: { row: end.leaf, why, isPartial: true } };
}

/** The program picks a conversation by the time of its last message. */
function untimed(table: RowTable, rows: readonly number[]): Refusal | undefined {
  const row = rows.findLast((one) => isMessage(table, one));
  if (row === undefined || table.time(row) !== undefined) return undefined;
  return { row, why: "the last message of the conversation has no valid timestamp" };
}

/**
 * From the leaf back to the start. The reader continues where the program stops: past a boundary, and over a gap. `cuts` are
 * rows whose parent is not believed, as it made a circle.
 */
function walk(
  graph: Graph,
  leaf: number,
  forReader: boolean,
  between?: Compaction,
  cuts: ReadonlySet<number> = new Set(),
): { rows: number[]; breaks: Break[] } {
  const { table } = graph;
  const compactionBetween = forReader ? createCompactions(graph) : () => undefined;
  /** What people read before a boundary, where the conversation went on behind a row that it preserved. */
  const before = new Map(between ? [[between.boundary, between.preserved]] : []);
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
  const whyBroken = (row: number, above: number): Break["why"] | undefined => {
    if (cuts.has(row)) return "circle";
    if (above !== NONE) return taken[above] ? "circle" : undefined;
    if (!table.isRoot(row) || table.details.get(row)?.boundary) return "missing";
    return forReader && isLostRoot(row) ? "root" : undefined;
  };
  const isLostRoot = createRootCheck(graph);
  let cut: number | undefined;
  const step = (row: number): number => {
    const parent = parentOf(row);
    const above = before.get(row) ?? graph.find(parent);
    const compaction = cuts.has(row) ? undefined : compactionBetween(above, row);
    if (compaction && !taken[compaction.summary] && !taken[compaction.boundary]) {
      before.set(compaction.boundary, above);
      return compaction.summary;
    }
    const why = whyBroken(row, above);
    if (why === undefined) return above;
    if (why === "circle" && forReader && !cuts.has(row)) {
      const least = leastLikely(table, rows.slice(rows.indexOf(above)));
      if (least !== row) {
        cut = least;
        return NONE;
      }
    }
    const isNamed = parent !== NONE;
    const bridge = forReader
      ? behindRewind(graph, row, bridgesFor(row).inFile(row), taken)
      : isNamed
        ? bridgesFor(row).inTime(row)
        : NONE;
    if (bridge !== NONE || isNamed) breaks.push({ row, why, ...(bridge !== NONE && { bridge }) });
    return bridge;
  };
  for (let at = leaf; at !== NONE && !taken[at]; at = step(at)) {
    rows.push(at);
    taken[at] = 1;
  }
  if (cut !== undefined) return walk(graph, leaf, forReader, between, new Set([...cuts, cut]));
  return { rows: rows.reverse(), breaks: breaks.reverse() };
}

/** Of a circle, each row behind the one that follows it: the row whose parent stands the furthest behind it in the file. */
function leastLikely(table: RowTable, circle: readonly number[]): number {
  const jump = (at: number): number =>
    table.place(circle[(at + 1) % circle.length] as number) - table.place(circle[at] as number);
  let least = circle.length - 1;
  for (let at = least - 1; at >= 0; at--) if (jump(at) > jump(least)) least = at;
  return circle[least] as number;
}

/**
 * Where the conversation was rewound between a row and the one before it in the file, the turns that were left stay left:
 * it goes on behind the row that the rewind names, or else without the last turn before it.
 */
function behindRewind(
  { table, find, parentOf, rewinds }: Graph,
  row: number,
  before: number,
  taken: Uint8Array,
): number {
  const rewind = rewinds.findLast(({ at }) => before < at && at <= row);
  if (before === NONE || !rewind) return before;
  const named = find(table.names.of(rewind.leaf));
  if (named !== NONE) return taken[named] ? NONE : named;
  const seen = new Set<number>();
  let at = before;
  while (at !== NONE && !seen.has(at) && !isPrompt(table, at)) {
    seen.add(at);
    at = find(parentOf(at));
  }
  const left = at === NONE ? NONE : find(parentOf(at));
  return left === NONE || taken[left] ? NONE : left;
}

/** With what hangs on the last message and was no part of the way: reminders, and the notes of commands. */
function withTrailing(
  { table, rows: all, parentOf }: Graph,
  path: readonly number[],
  rows: readonly number[],
): readonly number[] {
  const last = path.findLast((row) => isMessage(table, row));
  if (last === undefined) return rows;
  const isTaken = new Set(rows);
  const children = Map.groupBy(
    all.filter((row) => !isTaken.has(row) && !isMessage(table, row)),
    parentOf,
  );
  const found = new Set([last]);
  for (const row of found) for (const child of children.get(table.name(row)) ?? []) found.add(child);
  found.delete(last);
  const timeOf = (row: number): number => table.time(row) ?? 0;
  return found.size === 0 ? rows : [...rows, ...[...found].sort((a, b) => timeOf(a) - timeOf(b))];
}

/** Only what follows the newest boundary, and what it preserved, which follows its summary. */
function cutAtBoundary({ table }: Graph, rows: readonly number[]): readonly number[] {
  const at = rows.findLastIndex((row) => table.details.get(row)?.boundary);
  return at < 0 ? rows : rows.slice(at);
}
