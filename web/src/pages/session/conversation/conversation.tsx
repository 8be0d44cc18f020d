/** The conversation: a virtual list of its rows, which stays where it is read while turns are read and written. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Failure } from "../../../change/failure.tsx";
import { Button } from "../../../ui/button.tsx";
import { locate, type Match } from "../find/locate.ts";
import { useFindMarks } from "../find/marks.ts";
import { useReading } from "../reading.ts";
import { useBlankSizes } from "./blank-sizes.ts";
import css from "./conversation.module.css";
import { useGoal } from "./goal.ts";
import { RowView } from "./row-view.tsx";
import { type Row, rowsOf } from "./rows.ts";
import { useTurnPages } from "./turn-pages.ts";
import { useUnseen } from "./unseen.ts";

/** Nearer to the end than this is at the end. */
const AT_END = 48;
/** What was written is rendered and measured within this. */
const WRITTEN_MS = 800;
/** While the list is scrolled quickly, nothing is read on the way. */
const SETTLED_MS = 60;

export function Conversation({ firstTurn }: { readonly firstTurn: number | undefined }) {
  const { key, outline, state } = useReading();
  const { turns } = outline;
  const pages = useTurnPages(key, turns, firstTurn ?? 0);
  const folds = useSyncExternalStore(state.folds.subscribe, state.folds.get);
  const blanks = useBlankSizes();
  const rows = useMemo(
    () => rowsOf(turns, pages.turnAt, pages.preamble, folds, blanks.sizeOf),
    [turns, pages.turnAt, pages.preamble, folds, blanks],
  );
  const rowsNow = useRef(rows);
  rowsNow.current = rows;

  const scroller = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(false);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((at: number) => rows[at]?.key ?? at, [rows]),
    estimateSize: (at) => rows[at]?.size ?? 40,
    overscan: 8,
    paddingStart: 12,
    paddingEnd: 96,
    // A pixel into the row, so that it is this row which stays where it is, not the end of the one above.
    scrollPaddingStart: -1,
    // What is read stays where it is when rows above it come, go or grow.
    anchorTo: "end",
    scrollEndThreshold: -1,
    initialRect: { width: 720, height: 900 },
  });

  const indexOf = useCallback(
    (turn: number, row?: string): number =>
      rowsNow.current.findIndex((each) =>
        row === undefined ? each.kind === "head" && each.turn === turn : each.key === row,
      ),
    [],
  );

  const goal = useGoal(
    useCallback(
      (turn, row) => {
        const at = indexOf(turn, row);
        if (at >= 0) virtual.scrollToIndex(at, { align: row === undefined ? "start" : "center" });
      },
      [indexOf, virtual],
    ),
  );
  // The turn that a link names is where the page opens.
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    if (isPlaced.current || turns.length === 0) return;
    isPlaced.current = true;
    if (firstTurn === undefined || firstTurn <= 0) return;
    goal.set(Math.min(firstTurn, turns.length - 1));
  }, [firstTurn, goal, turns.length]);

  state.jump.to = (turn, row) => {
    pages.want([turn]);
    goal.set(turn, row);
  };
  state.jump.toEnd = () => {
    goal.drop();
    setFollowing(true);
    virtual.scrollToEnd();
  };

  state.jump.toggleTurn = (turn) => {
    const calls = rowsNow.current.filter((row) => row.turn === turn && row.kind === "tool");
    state.folds.set((before) => {
      const isOpen = calls.some(({ key: row }) => !before.get(row));
      const after = new Map(before);
      for (const { key: row } of calls) after.set(row, isOpen);
      return after;
    });
  };

  // A match may be in a turn that has yet to be read, and in a part that has yet to be opened.
  const [wanted, setWanted] = useState<Match>();
  state.jump.toMatch = (match) => {
    state.jump.to(match.turn);
    setWanted(match);
  };
  useEffect(() => {
    const turn = wanted && pages.turnAt(wanted.turn);
    if (!wanted || !turn) return;
    setWanted(undefined);
    const { row, nth, open } = locate(turn, wanted);
    const hidden = rowsNow.current.filter((each) => each.kind === "run" && each.turn === turn.index);
    const isThere = rowsNow.current.some((each) => each.key === row);
    state.folds.set((before) => {
      const after = new Map(before);
      for (const key of open) after.set(key, true);
      if (!isThere) for (const { key } of hidden) after.set(key, true);
      return after;
    });
    state.marked.set({ text: wanted.text, row, nth });
    // Once the rows are there.
    requestAnimationFrame(() => state.jump.to(turn.index, row));
  }, [wanted, pages.turnAt, state]);

  const items = virtual.getVirtualItems();
  const firstShown = items[0]?.index ?? 0;
  const lastShown = items.at(-1)?.index ?? 0;

  // Only what is looked at is read, and the page after it.
  useEffect(() => {
    const shown = rows.slice(firstShown, lastShown + 1).map(({ turn }) => turn);
    const last = shown.at(-1) ?? 0;
    const timer = setTimeout(() => pages.want([...shown, Math.min(last + 3, turns.length - 1)]), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [rows, firstShown, lastShown, pages.want, turns.length]);

  useEffect(() => blanks.remember(rows, virtual.itemSizeCache), [blanks, rows, virtual]);

  const lastTop = useRef(0);
  /** What is first shown is read from its start, even where all of it fits. */
  const hasSettled = useRef(false);
  const { unseen, look } = useUnseen(turns);
  const onScroll = useCallback((): void => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop } = element;
    const rest = element.scrollHeight - scrollTop - element.clientHeight;
    // What hardly goes beyond the screen is read from its start all the same.
    const isAtEnd = rest <= (scrollTop > 0 ? AT_END : 1);
    // Only who scrolls up leaves the end; that more is written below does not.
    const isUp = scrollTop < lastTop.current - 1;
    lastTop.current = scrollTop;
    if (isAtEnd && hasSettled.current) setFollowing(true);
    else if (isUp) setFollowing(false);
    const at = virtual.getVirtualItemForOffset(scrollTop + 40)?.index ?? 0;
    const top = rowsNow.current[at]?.turn ?? 0;
    // At the end, the last turn may be too short to come to the top.
    state.current.set(isAtEnd && scrollTop > 0 ? turns.length - 1 : Math.max(0, top));
    if (isAtEnd) look();
  }, [look, state, turns.length, virtual]);

  const isBlank = rows.slice(firstShown, lastShown + 1).some(({ kind }) => kind === "blank");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen changes with the rows, too
  useEffect(() => {
    if (isBlank) return;
    hasSettled.current = true;
    onScroll();
  }, [isBlank, rows, onScroll]);

  const size = virtual.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever rows came or were measured
  useLayoutEffect(goal.keep, [rows, size]);
  // At the end the list follows what the agent writes, but not what the reader opens, nor what is first measured.
  const writtenAt = useRef(Number.NEGATIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was written
  useLayoutEffect(() => {
    if (hasSettled.current) writtenAt.current = performance.now();
  }, [turns, pages.turnAt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the list has grown
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isFollowing || !element) return;
    if (performance.now() - writtenAt.current < WRITTEN_MS) virtual.scrollToEnd();
    else if (element.scrollHeight - element.scrollTop - element.clientHeight > AT_END) setFollowing(false);
  }, [isFollowing, size, virtual]);

  useFindMarks(scroller);

  if (pages.error && turns.length > 0 && !rows.some(({ kind }) => kind !== "head" && kind !== "blank"))
    return <Failure error={pages.error} retry={pages.retry} />;

  return (
    <div className={css.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is only noticed that the reader scrolls */}
      <div
        ref={scroller}
        className={css.scroller}
        onScroll={onScroll}
        onWheel={goal.drop}
        onTouchMove={goal.drop}
        onPointerDown={goal.drop}
        onKeyDown={goal.drop}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: read with the arrow keys and Page Down
        tabIndex={0}
        data-testid="conversation"
      >
        <div className={css.list} style={{ height: size }}>
          {items.map(({ index, key: itemKey, start }) => {
            const row = rows[index] as Row;
            return (
              <div
                key={itemKey}
                ref={row.kind === "blank" ? undefined : virtual.measureElement}
                data-index={index}
                data-row={row.key}
                data-turn={row.turn}
                className={css.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                <RowView row={row} />
              </div>
            );
          })}
        </div>
      </div>
      <div className={css.unseen} role="status">
        {unseen !== "" && !isFollowing && (
          <Button size="small" tone="primary" icon={<ArrowDown />} onClick={() => state.jump.toEnd()}>
            {unseen} · show
          </Button>
        )}
      </div>
    </div>
  );
}
