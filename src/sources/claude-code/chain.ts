/** Which rows make the conversation: Claude Code's own rules for the end of the chain and the way back from it. */
import { type Bridges, createBridges } from "./bridges.ts";
import { withParallelRows } from "./parallel.ts";
import type { Row } from "./rows.ts";
import type { Survey } from "./survey.ts";

/** A row whose parent is not in the file, or not named; `bridge` is the row that stands in for it. */
export interface Break {
  readonly row: Row;
  readonly bridge?: Row;
}

export interface Chain {
  readonly rows: readonly Row[];
  readonly breaks: readonly Break[];
  /** Why Claude Code says "No conversation found", and the row that is to blame. */
  readonly refusal?: Refusal;
}

export interface Refusal {
  readonly row: Row;
  readonly why: string;
}

/** What Claude Code takes up on resume: everything before the newest compaction is gone, apart from what it preserved. */
export function chainForModel(survey: Survey): Chain {
  const graph = toGraph(survey);
  const { rows, breaks } = walk(graph, findLeaf(graph, survey)?.leaf, false);
  const left = cutAtBoundary(graph, rows);
  return { rows: withParallelRows(rowsInReach(graph, left), left), breaks };
}

/** What a reader wants to see: the same conversation with the turns before a compaction or a missing row. */
export function chainForReader(survey: Survey): Chain {
  const graph = toGraph(survey);
  const end = findLeaf(graph, survey);
  const { rows, breaks } = walk(graph, end?.leaf, true);
  const refusal = end?.refusal ?? untimed(rows);
  return { rows: withParallelRows(graph.rows, rows), breaks, ...(refusal && { refusal }) };
}

/** The program picks a conversation by the time of its last message. */
function untimed(rows: readonly Row[]): Refusal | undefined {
  const row = rows.findLast(({ kind }) => kind === "user" || kind === "assistant");
  if (!row || row.time !== undefined) return undefined;
  return { row, why: "the last message of the conversation has no valid timestamp" };
}

interface Graph {
  /** All but the progress rows, in file order. A row of a side chain counts only where the main line hangs on it. */
  readonly rows: readonly Row[];
  find(uuid: string | undefined): Row | undefined;
  /** The parent of a row, where a `progress` row counts as its own parent. */
  parentOf(row: Row): string | undefined;
}

function toGraph(survey: Survey): Graph {
  return {
    rows: [...survey.rows.values()].filter((row) => row.kind !== "progress"),
    find(uuid) {
      const row = lookUp(survey, uuid);
      return row?.kind === "progress" ? undefined : row;
    },
    parentOf(row) {
      let parent = row.parent;
      const seen = new Set<string>();
      for (let above = lookUp(survey, parent); above?.kind === "progress"; above = lookUp(survey, parent)) {
        if (seen.has(above.uuid)) return undefined;
        seen.add(above.uuid);
        parent = above.parent;
      }
      return parent;
    },
  };
}

const lookUp = ({ rows }: Survey, uuid: string | undefined): Row | undefined =>
  uuid === undefined ? undefined : rows.get(uuid);

function findLeaf(graph: Graph, { mark }: Survey): { leaf: Row; refusal?: Refusal } | undefined {
  const last = graph.rows.findLast((row) => !row.sidechain);
  if (!last) return undefined;
  const marked = graph.find(mark?.leaf);
  if (!mark) return { leaf: newestBelow(graph, last) };
  const isCut = mark.explicit && !mark.followed;
  if (!marked || (!isCut && descendsFrom(graph, last, marked))) return { leaf: last };
  if (!marked.sidechain) return { leaf: marked };
  return { leaf: last, refusal: { row: marked, why: "a row of a side chain is marked as the end" } };
}

/** Rows may be out of order in a file written by other hands: then the end is not the last line. */
function newestBelow(graph: Graph, start: Row): Row {
  if (!graph.rows.some((row) => row.parent === start.uuid)) return start;
  const children = Map.groupBy(graph.rows, (row) => graph.parentOf(row));
  const seen = new Set<Row>([start]);
  let newest = start;
  for (const row of seen) {
    for (const child of children.get(row.uuid) ?? []) seen.add(child);
    if (!row.sidechain && (row.time ?? 0) > (newest.time ?? 0)) newest = row;
  }
  return newest;
}

function descendsFrom(graph: Graph, row: Row, ancestor: Row): boolean {
  const seen = new Set<Row>();
  for (let at: Row | undefined = row; at && !seen.has(at); at = graph.find(graph.parentOf(at))) {
    if (at === ancestor) return true;
    seen.add(at);
  }
  return false;
}

/** From the leaf back to the start. A reader goes on where the program stops: past a boundary, and over a gap. */
function walk(graph: Graph, leaf: Row | undefined, forReader: boolean): { rows: Row[]; breaks: Break[] } {
  const breaks: Break[] = [];
  const chain = new Set<Row>();
  const bridges = new Map<boolean, Bridges>();
  const bridgesFor = ({ sidechain }: Row): Bridges => {
    // The main line is never continued on a side chain, nor by the program the other way round.
    const may = (row: Row): boolean => row.sidechain === sidechain || (sidechain && forReader);
    const known = bridges.get(sidechain) ?? createBridges(graph.rows.filter(may), chain);
    bridges.set(sidechain, known);
    return known;
  };
  const step = (row: Row): Row | undefined => {
    const parent = graph.parentOf(row) ?? (forReader ? row.details?.logicalParent : undefined);
    const above = graph.find(parent);
    if (above || (row.isRoot && !row.details?.boundary)) return above;
    const isNamed = parent !== undefined;
    const bridge = forReader
      ? bridgesFor(row).inFile(row)
      : isNamed
        ? bridgesFor(row).inTime(row)
        : undefined;
    if (bridge || isNamed) breaks.push({ row, ...(bridge && { bridge }) });
    return bridge;
  };
  for (let at = leaf; at && !chain.has(at); at = step(at)) chain.add(at);
  return { rows: [...chain].reverse(), breaks: breaks.reverse() };
}

/** Only what follows the newest boundary, with the rows it preserved put behind its summary. */
function cutAtBoundary(graph: Graph, rows: readonly Row[]): readonly Row[] {
  const at = rows.findLastIndex((row) => row.details?.boundary);
  const boundary = rows[at]?.details?.boundary;
  if (!boundary) return rows;
  const after = rows.slice(at);
  const preserved = boundary.preserved.map((uuid) => graph.find(uuid));
  const anchor = after.findIndex((row) => row.uuid === boundary.anchor);
  if (anchor < 0 || !preserved.every((row) => row !== undefined)) return after;
  const kept = new Set(preserved);
  const rest = after.slice(anchor + 1).filter((row) => !kept.has(row));
  return [...after.slice(0, anchor + 1), ...preserved, ...rest];
}

/** Behind a boundary nothing that it did not preserve comes back, not even the rest of a reply. */
function rowsInReach(graph: Graph, rows: readonly Row[]): readonly Row[] {
  const [first] = rows;
  if (!first?.details?.boundary) return graph.rows;
  const kept = new Set(rows);
  return graph.rows.filter((row) => kept.has(row) || row.start > first.start);
}
