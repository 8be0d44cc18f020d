/** Where the lane of each session and the edge to what it came from lie on the time axis. */
import type { Relative, Row } from "./rows.ts";
import { type TimeScale, timeScale } from "./time-scale.ts";

export interface Lane {
  readonly start: number;
  readonly end: number;
  /** Nothing says when it was: its files are gone, or on another machine. */
  readonly isGuessed: boolean;
}

const timeOf = (iso: string | null): number => (iso === null ? Number.NaN : new Date(iso).getTime());

/** What is not here began before the first that came from it. */
export function spanOf(relative: Relative): Lane | undefined {
  const start = timeOf(relative.createdAt);
  const end = timeOf(relative.updatedAt);
  if (Number.isFinite(start))
    return { start, end: Number.isFinite(end) ? Math.max(start, end) : start, isGuessed: false };
  if (Number.isFinite(end)) return { start: end, end, isGuessed: false };
  const starts = relative.children.map((child) => spanOf(child)?.start).filter((each) => each !== undefined);
  if (starts.length === 0) return undefined;
  const first = Math.min(...starts);
  return { start: first, end: first, isGuessed: true };
}

export interface Lanes {
  readonly scale: TimeScale;
  readonly lanes: readonly (Lane | undefined)[];
  readonly edges: readonly Edge[];
}

export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly time: number;
}

export function toLanes(rows: readonly Row[]): Lanes {
  const lanes = rows.map((row) => (row.type === "session" ? spanOf(row.relative) : undefined));
  const moments = lanes.flatMap((lane) => (lane ? [lane.start, lane.end] : []));
  const edges = rows.flatMap((row, to): Edge[] => {
    const time = lanes[to]?.start;
    return row.type === "session" && row.parent !== undefined && time !== undefined
      ? [{ from: row.parent, to, time }]
      : [];
  });
  return { scale: timeScale(moments), lanes, edges };
}
