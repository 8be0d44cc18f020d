/** The graph: a bar for each session on the time axis, and a line from what it came from to where it begins. */
import type { CSSProperties } from "react";
import { sourceOf } from "../../lib/sources.ts";
import type { Lanes } from "./lanes.ts";
import type { Row } from "./rows.ts";
import { ticksOf } from "./time-scale.ts";
import css from "./tree.module.css";

export interface Placed {
  readonly index: number;
  readonly start: number;
  readonly size: number;
}

/** Room on both sides, for the dots of the first and the last. */
const EDGE = 20;
const BAR = 8;
const LEAST_WIDTH = 8;

export const graphX =
  ({ scale }: Lanes, width: number) =>
  (time: number): number =>
    EDGE + scale.at(time) * Math.max(0, width - 2 * EDGE);

export function Axis({ lanes, width }: { readonly lanes: Lanes; readonly width: number }) {
  return (
    <svg className={css.axis} width={width} height={28} aria-hidden="true">
      {ticksOf(lanes.scale, width - 2 * EDGE).map(({ x, label, isAtEnd }) => (
        <text key={x} x={isAtEnd ? width : x + EDGE + 4} y={18} textAnchor={isAtEnd ? "end" : "start"}>
          {label}
        </text>
      ))}
    </svg>
  );
}

/** The same days as on the axis, all the way down. */
export function Ticks({ lanes, width }: { readonly lanes: Lanes; readonly width: number }) {
  return ticksOf(lanes.scale, width - 2 * EDGE).map(({ x }) => (
    <i key={x} className={css.tick} style={{ left: x + EDGE }} aria-hidden="true" />
  ));
}

export function Timeline({
  rows,
  lanes,
  width,
  placed,
  middleOf,
  chosen,
  current,
}: {
  readonly rows: readonly Row[];
  readonly lanes: Lanes;
  readonly width: number;
  /** Only these are drawn, and the edges that pass them. */
  readonly placed: readonly Placed[];
  /** How far down the lane of a row is. */
  readonly middleOf: (row: Placed) => number;
  readonly chosen: readonly string[];
  readonly current: number;
}) {
  const [first] = placed;
  const last = placed.at(-1);
  if (!first || !last || width <= 0) return null;
  const top = first.start;
  const height = last.start + last.size - top;
  const xOf = graphX(lanes, width);
  const middles = new Map(placed.map((each) => [each.index, middleOf(each) - top]));
  const yOf = (index: number): number => middles.get(index) ?? (index < first.index ? -20 : height + 20);
  return (
    <svg
      className={css.graph}
      width={width}
      height={height}
      style={{ transform: `translateY(${top}px)` }}
      aria-hidden="true"
    >
      {placed.map(({ index }) => {
        const row = rows[index];
        const lane = lanes.lanes[index];
        if (row?.type !== "session" || !lane) return null;
        const [x, y] = [xOf(lane.start), yOf(index)];
        const length = Math.max(LEAST_WIDTH, xOf(lane.end) - x);
        return (
          <g
            key={row.key}
            className={css.lane}
            style={{ "--colour": sourceOf(row.relative.source).colour } as CSSProperties}
            data-source={row.relative.source}
            data-chosen={chosen.includes(row.key) || undefined}
            data-current={index === current || undefined}
            data-guessed={lane.isGuessed || !row.relative.isHere || undefined}
          >
            {!lane.isGuessed && <rect x={x} y={y - BAR / 2} width={length} height={BAR} rx={BAR / 2} />}
            <circle cx={x + BAR / 2} cy={y} r={5} />
          </g>
        );
      })}
      {lanes.edges
        .filter(({ from, to }) => to >= first.index && from <= last.index)
        .map(({ from, to, time }) => {
          const [x, y1, y2] = [xOf(time), yOf(from), yOf(to)];
          const parentEnd = xOf(lanes.lanes[from]?.end ?? time);
          return (
            <g key={to} className={css.edge}>
              {parentEnd < x - 4 && <line className={css.wait} x1={parentEnd} x2={x} y1={y1} y2={y1} />}
              <path d={`M${x} ${y1} V${y2}`} />
              <circle cx={x} cy={y1} r={3} />
            </g>
          );
        })}
    </svg>
  );
}
