/** The rows of a result: only those on the screen are there, and the arrow keys move from cell to cell. */
// biome-ignore-all lint/a11y/useSemanticElements: a table cannot leave out the rows that are not on the screen
// biome-ignore-all lint/a11y/useFocusableInteractive: in a grid the cells have the focus, not the rows

import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { copyText } from "../../lib/clipboard.ts";
import { clean } from "../../text/clean.ts";
import { columnsOf, firstLine } from "./columns.ts";
import type { Table, Value } from "./csv.ts";
import css from "./grid.module.css";
import { measureText } from "./measure-text.ts";
import { RowDialog } from "./row-dialog.tsx";
import { linksOf, type SessionLink } from "./session-links.ts";

const ROW = 28;
const NUMBERS = 52;

interface Place {
  readonly row: number;
  readonly column: number;
}

interface Order {
  readonly column: number;
  readonly isDown: boolean;
}

export function Grid({ table }: { readonly table: Table }) {
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => columnsOf(table, measureText), [table]);
  const linkOf = useMemo(() => linksOf(table), [table]);
  const [order, setOrder] = useState<Order>();
  const rows = useMemo(() => sorted(table.rows, order), [table, order]);
  const [at, setAt] = useState<Place>({ row: 0, column: 0 });
  const [isOpen, setOpen] = useState(false);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    scrollPaddingStart: ROW,
  });
  const width = columns.reduce((sum, column) => sum + column.width, NUMBERS);
  const template = `${NUMBERS}px ${columns.map((column) => `${column.width}px`).join(" ")}`;

  const hasFocus = useRef(false);
  useEffect(() => {
    if (!hasFocus.current) return;
    hasFocus.current = false;
    scroller.current
      ?.querySelector<HTMLElement>(`[data-cell="${at.row}:${at.column}"]`)
      ?.focus({ preventScroll: true });
  });

  const moveTo = (row: number, column: number): void => {
    const next = {
      row: Math.max(0, Math.min(rows.length - 1, row)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    };
    hasFocus.current = true;
    setAt(next);
    virtual.scrollToIndex(next.row);
    showColumn(scroller.current, columns, next.column);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW) - 2);
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [at.row - 1, at.column],
      ArrowDown: [at.row + 1, at.column],
      ArrowLeft: [at.row, at.column - 1],
      ArrowRight: [at.row, at.column + 1],
      PageUp: [at.row - page, at.column],
      PageDown: [at.row + page, at.column],
      Home: [at.row, 0],
      End: [at.row, columns.length - 1],
    };
    const isMod = event.metaKey || event.ctrlKey;
    const move =
      isMod && event.key === "Home"
        ? [0, 0]
        : isMod && event.key === "End"
          ? [rows.length, columns.length]
          : isMod
            ? undefined
            : moves[event.key];
    const value = rows[at.row]?.[at.column] ?? null;
    if (move) moveTo(move[0] ?? 0, move[1] ?? 0);
    else if (event.key === "Enter" && (event.target as HTMLElement).tagName !== "A") setOpen(true);
    else if (isMod && event.key === "c" && getSelection()?.isCollapsed !== false)
      void copyText(value === null ? "" : String(value), "Value");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div ref={scroller} className={css.scroller}>
      <div
        role="grid"
        aria-label="Result"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-readonly="true"
        className={css.grid}
        style={{ width }}
        onKeyDown={onKeyDown}
      >
        <div role="row" aria-rowindex={1} className={css.head} style={{ gridTemplateColumns: template }}>
          <span role="presentation" className={css.number} />
          {columns.map(({ name, isNumber }, column) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
              key={column}
              role="columnheader"
              tabIndex={-1}
              className={css.column}
              data-number={isNumber || undefined}
              aria-sort={order?.column !== column ? "none" : order.isDown ? "descending" : "ascending"}
            >
              <button
                type="button"
                className={css.sort}
                title={`Sort by ${name}`}
                onClick={() => {
                  setOrder(nextOrder(order, column));
                  scroller.current?.scrollTo({ top: 0 });
                }}
              >
                <span className="ellipsis">{name}</span>
                {order?.column === column &&
                  (order.isDown ? (
                    <ArrowDown className={css.arrow} aria-hidden />
                  ) : (
                    <ArrowUp className={css.arrow} aria-hidden />
                  ))}
              </button>
            </div>
          ))}
        </div>
        <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] ?? [];
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className={css.row}
                style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
              >
                <span role="presentation" className={css.number}>
                  {index + 1}
                </span>
                {columns.map(({ isNumber }, column) => (
                  <Cell
                    // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                    key={column}
                    value={row[column] ?? null}
                    link={linkOf(row, column)}
                    place={`${index}:${column}`}
                    isNumber={isNumber}
                    isCurrent={at.row === index && at.column === column}
                    onFocus={() => setAt({ row: index, column })}
                    onOpen={() => {
                      setAt({ row: index, column });
                      setOpen(true);
                    }}
                  />
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {isOpen && (
        <RowDialog
          table={{ columns: table.columns, rows }}
          row={at.row}
          column={at.column}
          onMove={(row) => {
            setAt({ ...at, row });
            virtual.scrollToIndex(row);
          }}
          onClose={() => {
            hasFocus.current = true;
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}

function Cell({
  value,
  link,
  place,
  isNumber,
  isCurrent,
  onFocus,
  onOpen,
}: {
  readonly value: Value;
  readonly link: SessionLink | undefined;
  readonly place: string;
  readonly isNumber: boolean;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter does the same, for the grid as a whole
    <div
      role="gridcell"
      tabIndex={isCurrent ? 0 : -1}
      data-cell={place}
      data-null={value === null || undefined}
      className={css.cell}
      data-number={isNumber || undefined}
      onFocus={onFocus}
      onDoubleClick={onOpen}
      onClick={(event) => {
        // A text that is cut off opens; one that is all there can be selected.
        const cell = event.currentTarget;
        const isCut = cell.scrollWidth > cell.clientWidth || (typeof value === "string" && /\n/.test(value));
        if (isCut && getSelection()?.isCollapsed !== false && event.target === cell) onOpen();
      }}
    >
      {link ? (
        <Link
          to="/s/$key"
          params={{ key: link.key }}
          search={link.turn === undefined ? {} : { turn: link.turn }}
          tabIndex={isCurrent ? 0 : -1}
          className={css.link}
          title="Open the session"
        >
          {clean(firstLine(value))}
        </Link>
      ) : (
        clean(firstLine(value))
      )}
    </div>
  );
}

const nextOrder = (order: Order | undefined, column: number): Order | undefined =>
  order?.column !== column ? { column, isDown: false } : order.isDown ? undefined : { column, isDown: true };

function sorted(rows: Table["rows"], order: Order | undefined): Table["rows"] {
  if (!order) return rows;
  const { column, isDown } = order;
  const sign = isDown ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(a[column] ?? null, b[column] ?? null));
}

/** As SQLite orders them: nothing, numbers, texts. */
function compare(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function showColumn(
  scroller: HTMLElement | null,
  columns: readonly { readonly width: number }[],
  column: number,
): void {
  if (!scroller) return;
  const left = columns.slice(0, column).reduce((sum, each) => sum + each.width, NUMBERS);
  const right = left + (columns[column]?.width ?? 0);
  if (left - NUMBERS < scroller.scrollLeft) scroller.scrollLeft = left - NUMBERS;
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth;
}
