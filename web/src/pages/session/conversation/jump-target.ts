/**
 * Where a jump goes: to a turn, or a row of it, and not to a number in the list. Turns on the way may be read just then, and
 * their rows move what was counted; so for a moment, unless the reader scrolls, every change of the rows is followed there.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import type { Row } from "./rows.ts";

/** What is on the way is read within this, or it takes so long that the reader has gone on. */
const JUMP_MS = 1_500;

type GoTo = (turn: number, row: string | undefined) => void;

export function useJumpTarget(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  scrollTo: GoTo,
): { readonly aim: GoTo; readonly leave: () => void } {
  const target = useRef<{ readonly turn: number; readonly row: string | undefined; readonly at: number }>(
    undefined,
  );
  const leave = useCallback((): void => {
    target.current = undefined;
  }, []);
  const aim = useCallback<GoTo>(
    (turn, row) => {
      target.current = { turn, row, at: performance.now() };
      scrollTo(turn, row);
    },
    [scrollTo],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the rows are others
  useLayoutEffect(() => {
    const { current } = target;
    if (current && performance.now() - current.at < JUMP_MS) scrollTo(current.turn, current.row);
  }, [rows, scrollTo]);
  useEffect(() => {
    const element = scroller.current;
    const events = ["wheel", "pointerdown", "keydown", "touchmove"] as const;
    for (const event of events) element?.addEventListener(event, leave, { passive: true });
    return () => {
      for (const event of events) element?.removeEventListener(event, leave);
    };
  }, [leave, scroller]);
  return { aim, leave };
}
