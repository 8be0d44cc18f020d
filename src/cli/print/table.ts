/** Tables that fit the terminal: columns shrink, then give way, until every line fits. */
import type { Paint } from "./style.ts";
import { cut, pad, widthOf } from "./text.ts";

export interface Column<T> {
  readonly head: string;
  readonly align?: "left" | "right";
  /** Plain text on one line; `paint` colors it once it is cut to size. */
  readonly text: (row: T) => string;
  readonly paint?: (row: T) => Paint;
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
      Math.max(widthOf(column.head), ...rows.map((row) => widthOf(column.text(row)))),
    ]),
  );
  const fitting = dropUntilFit(shown, natural, width);
  const sizes = shrink(fitting, natural, width);
  const line = (cell: (column: Column<T>, size: number) => string): string =>
    fitting
      .map((column) => cell(column, sizes.get(column) ?? 0))
      .join(" ".repeat(GAP))
      .trimEnd();
  const head = line((column, size) => paintHead(pad(cut(column.head, size), size, column.align)));
  return [
    head,
    ...rows.map((row) =>
      line((column, size) => {
        const text = cut(column.text(row), size);
        const painted = column.paint ? column.paint(row)(text) : text;
        const space = " ".repeat(Math.max(0, size - widthOf(text)));
        return column.align === "right" ? space + painted : painted + space;
      }),
    ),
  ];
}

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

/** Takes the missing room from the columns that would give way first, the widest of them, until all fit. */
function shrink<T>(columns: readonly Column<T>[], natural: Sizes<T>, width: number): Map<Column<T>, number> {
  const sizes = new Map(columns.map((column) => [column, natural.get(column) ?? 0]));
  for (let excess = total([...sizes.values()]) - width; excess > 0; excess--) {
    const widest = columns
      .filter((column) => (sizes.get(column) ?? 0) > least(column, natural))
      .sort((a, b) => (b.gives ?? 0) - (a.gives ?? 0) || (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))[0];
    if (!widest) break;
    sizes.set(widest, (sizes.get(widest) ?? 0) - 1);
  }
  return sizes;
}
