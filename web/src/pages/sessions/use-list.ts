/** A list of sessions with its headings, and the row that the keys are at. */
import { useCallback, useMemo, useRef, useState } from "react";
import { toKey } from "../../lib/session-key.ts";
import { useNow } from "../../lib/use-now.ts";
import type { Filters } from "../../router.tsx";
import { type Item, withHeadings } from "./groups.ts";
import { type SessionRow, useSessions } from "./session-query.ts";
import type { ListHandle } from "./virtual-list.tsx";

export function useList(filters: Filters) {
  const answer = useSessions(filters);
  const { sessions, sort, hasNextPage, isFetchingNextPage, fetchNextPage } = answer;
  const now = useNow();
  const day = now.toDateString();
  // Headings change at midnight, not with every tick of the clock.
  const items: Item[] = useMemo(() => withHeadings(sessions, sort, new Date(day)), [sessions, sort, day]);
  const places = useMemo(() => {
    const all = new Map<string, number>();
    for (const [index, item] of items.entries())
      if (item.kind === "session") all.set(toKey(item.session), index);
    return all;
  }, [items]);
  const list = useRef<ListHandle>(null);
  const [here, setHere] = useState<string | undefined>();

  const go = (session: SessionRow | undefined): void => {
    if (!session) return;
    setHere(toKey(session));
    list.current?.show(places.get(toKey(session)) ?? 0);
  };
  const indexOf = (key: string | undefined): number => {
    const item = key === undefined ? undefined : items[places.get(key) ?? -1];
    return item?.kind === "session" ? item.at : -1;
  };
  return {
    ...answer,
    items,
    list,
    /** The row that the keys are at; gone when the filters leave it out. */
    here: here !== undefined && places.has(here) ? here : undefined,
    session: sessions[indexOf(here)],
    placeOf: (key: string): number | undefined => places.get(key),
    indexOf,
    setHere,
    /** From the row that the keys are at, or from another one. */
    move: (by: number, from = indexOf(here)): SessionRow | undefined => {
      const to = from < 0 ? 0 : Math.min(sessions.length - 1, Math.max(0, from + by));
      go(sessions[to]);
      return sessions[to];
    },
    first: () => go(sessions[0]),
    /** Loads what is missing before it goes there. */
    last: async (): Promise<void> => {
      let all = sessions;
      for (let more = hasNextPage; more; ) {
        const { data, hasNextPage: isMore, isError } = await fetchNextPage();
        all = data?.pages.flatMap((page) => page.sessions) ?? all;
        more = isMore && !isError;
      }
      const end = all.at(-1);
      if (!end) return;
      setHere(toKey(end));
      // The rows are there after the next paint.
      requestAnimationFrame(() => list.current?.show(Number.MAX_SAFE_INTEGER));
    },
    onNearEnd: useCallback(() => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    }, [hasNextPage, isFetchingNextPage, fetchNextPage]),
  };
}

export type SessionList = ReturnType<typeof useList>;
