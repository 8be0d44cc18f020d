/** Keeps the end of a conversation in sight while it grows, unless the reader has scrolled away from it. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const NEAR = 64;

export function useStick(scroller: RefObject<HTMLElement | null>, of: unknown) {
  const isStuck = useRef(true);
  const [isAway, setAway] = useState(false);
  const toEnd = useCallback(() => {
    isStuck.current = true;
    setAway(false);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);
  // Another conversation is read from its end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what changed that counts
  useLayoutEffect(toEnd, [of, toEnd]);
  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const onScroll = (): void => {
      isStuck.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
      setAway(!isStuck.current);
    };
    const observer = new ResizeObserver(() => {
      if (isStuck.current) current.scrollTo({ top: current.scrollHeight });
    });
    current.addEventListener("scroll", onScroll, { passive: true });
    for (const child of current.children) observer.observe(child);
    return () => {
      current.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, [scroller]);
  return { isAway, toEnd };
}
