/** Tables that fit the terminal: columns shrink, then are dropped, until every line fits. */
import type { Paint } from "../../../present/text/style.ts";
import { cut, widthOf } from "../../../present/text/text.ts";

export interface Column<T> {
  readonly head: string;
  readonly align?: "left" | "right";
  /** Plain text on one line; `paint` colors it once it is cut to size. */
  readonly text: (row: T) => string;
  readonly paint?: (row: T) => Paint;
  /** How the text is cut to size; without it, its end is left out. */
  readonly cut?: (text: string, size: number) => string;
  /** May be cut down to this many cells; without it the column keeps its full width. */
  readonly min?: number;
  /** In a terminal too narrow for all, the column with the highest number goes first; without one it stays. */
  readonly gives?: number;
}

const GAP = 2;

export function toTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  width: number,
  paintHead: Paint,
): string[] {
  const shown = columns.filter((column) => rows.some((row) => column.text(row) !== ""));
  const natural = new Map(
    shown.map((column) => [
      column,
      rows.reduce((most, row) => Math.max(most, widthOf(column.text(row))), widthOf(column.head)),
    ]),
  );
  const fitting = dropUntilFit(shown, natural, width);
  const sizes = shrink(fitting, natural, width);
  const line = (cell: (column: Column<T>) => { text: string; paint: Paint }): string =>
    fitting
      .map((column) => {
        const size = sizes.get(column) ?? 0;
        const { text, paint } = cell(column);
        const seen = (column.cut ?? cut)(text, size);
        const space = " ".repeat(Math.max(0, size - widthOf(seen)));
        return column.align === "right" ? space + paint(seen) : paint(seen) + space;
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  return [
    line((column) => ({ text: column.head, paint: paintHead })),
    ...rows.map((row) => line((column) => ({ text: column.text(row), paint: column.paint?.(row) ?? asIs }))),
  ];
}

const asIs: Paint = (text) => text;

type Sizes<T> = ReadonlyMap<Column<T>, number>;

const least = <T>(column: Column<T>, natural: Sizes<T>): number =>
  Math.min(natural.get(column) ?? 0, column.min ?? Number.POSITIVE_INFINITY);

const total = (sizes: readonly number[]): number =>
  sizes.reduce((sum, size) => sum + size, 0) + GAP * Math.max(0, sizes.length - 1);

function dropUntilFit<T>(columns: readonly Column<T>[], natural: Sizes<T>, width: number): Column<T>[] {
  const left = [...columns];
  while (total(left.map((column) => least(column, natural))) > width) {
    const next = left
      .filter((column) => column.gives !== undefined)
      .sort((a, b) => (b.gives ?? 0) - (a.gives ?? 0))[0];
    if (!next) break;
    left.splice(left.indexOf(next), 1);
  }
  return left;
}

/** Takes the missing room from whichever column is widest for what it needs, cell by cell, until all fit. */
function shrink<T>(columns: readonly Column<T>[], natural: Sizes<T>, width: number): Map<Column<T>, number> {
  const sizes = new Map(columns.map((column) => [column, natural.get(column) ?? 0]));
  const ease = (column: Column<T>): number => (sizes.get(column) ?? 0) / Math.max(1, least(column, natural));
  for (let excess = total([...sizes.values()]) - width; excess > 0; excess--) {
    const easiest = columns.reduce<Column<T> | undefined>(
      (best, column) => (ease(column) > (best ? ease(best) : 1) ? column : best),
      undefined,
    );
    if (!easiest) break;
    sizes.set(easiest, (sizes.get(easiest) ?? 0) - 1);
  }
  return sizes;
}
