/** A list of any length with headings: only what is visible is rendered, and the heading of what is seen stays on top. */
import { useElementScrollRestoration } from "@tanstack/react-router";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  type TableHTMLAttributes,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from "react";
import type { Item } from "./groups.ts";
import css from "./virtual-list.module.css";

export interface ListHandle {
  /** Brings the row into view. */
  show(item: number, align?: "auto" | "center"): void;
}

/** More is asked for when so few rows are left below. */
const NEAR_END = 40;

export function VirtualList({
  items,
  rowHeight,
  headingHeight,
  table,
  headerHeight = 0,
  restoreAs,
  renderHeading,
  renderSession,
  onNearEnd,
  isBusy,
  ref,
}: {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly headingHeight: number;
  /** Makes it a table, whose head is always visible; headings and sessions are rows then. */
  readonly table?: TableHTMLAttributes<HTMLTableElement> & { readonly head: ReactNode };
  readonly headerHeight?: number;
  /** The name under which the place is kept that one had scrolled to. */
  readonly restoreAs: string;
  readonly renderHeading: (label: string, place: Placed) => ReactNode;
  readonly renderSession: (item: Extract<Item, { kind: "session" }>, place: Placed) => ReactNode;
  readonly onNearEnd: () => void;
  /** What is shown is about to be replaced. */
  readonly isBusy: boolean;
  readonly ref?: Ref<ListHandle>;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const before = useElementScrollRestoration({ id: restoreAs });
  const headings = useMemo(
    () => items.flatMap((item, index) => (item.kind === "heading" ? [index] : [])),
    [items],
  );
  const sticky = useRef(0);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.kind === "heading" ? headingHeight : rowHeight),
    getItemKey: (index) => {
      const item = items[index];
      if (!item) return index;
      return item.kind === "heading"
        ? `heading ${item.label}`
        : `${item.session.source}:${item.session.id} ${item.session.path}`;
    },
    overscan: 12,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight + (headings.length > 0 ? headingHeight : 0),
    initialOffset: before?.scrollY ?? 0,
    rangeExtractor: useCallback(
      (range: Range) => {
        sticky.current = headings.findLast((index) => index <= range.startIndex) ?? -1;
        const seen = defaultRangeExtractor(range);
        return sticky.current < 0 || seen[0] === undefined || seen[0] <= sticky.current
          ? seen
          : [sticky.current, ...seen];
      },
      [headings],
    ),
  });
  useImperativeHandle(
    ref,
    () => ({
      show: (item, align = "auto") => virtual.scrollToIndex(item, { align }),
    }),
    [virtual],
  );
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (items.length > 0 && last > items.length - NEAR_END) onNearEnd();
  }, [last, items.length, onNearEnd]);
  const height = virtual.getTotalSize();
  const shown = rows.map(({ index, key, start, size }) => {
    const item = items[index];
    if (!item) return null;
    const place: Placed =
      index === sticky.current
        ? { key, top: headerHeight, height: size, isSticky: true }
        : { key, top: start - headerHeight, height: size, isSticky: false };
    return item.kind === "heading" ? renderHeading(item.label, place) : renderSession(item, place);
  });
  const { head, ...tableProps } = table ?? {};
  return (
    <div ref={scroller} className={css.scroller} data-scroll-restoration-id={restoreAs} aria-busy={isBusy}>
      {table ? (
        <table {...tableProps} className={css.table}>
          {head}
          <tbody className={css.rows} style={{ height }}>
            {shown}
          </tbody>
        </table>
      ) : (
        <div className={css.rows} style={{ height }}>
          {shown}
        </div>
      )}
    </div>
  );
}

/** Where a row goes. */
export interface Placed {
  readonly key: string | number | bigint;
  readonly top: number;
  readonly height: number;
  readonly isSticky: boolean;
}

/** For the element of the row. */
export const styleOf = ({ top, height, isSticky }: Omit<Placed, "key">): CSSProperties =>
  isSticky
    ? { position: "sticky", top, height, zIndex: 2 }
    : { position: "absolute", top: 0, left: 0, right: 0, height, transform: `translateY(${top}px)` };
