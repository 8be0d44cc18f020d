/** A list of sessions with its headings, and the row that the keys are at. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
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

  // Who types and presses Enter means what the words find, not what is still shown.
  const waiting = useRef<(session: SessionRow | undefined) => void>(undefined);
  const isBehind = answer.isPending || answer.isPlaceholderData;
  useEffect(() => {
    if (isBehind || !waiting.current) return;
    const open = waiting.current;
    waiting.current = undefined;
    open(sessions[0]);
  }, [isBehind, sessions]);

  const [isEnding, setEnding] = useState(false);
  useEffect(() => {
    if (!isEnding || isFetchingNextPage) return;
    if (hasNextPage && !answer.isError) {
      void fetchNextPage();
      return;
    }
    setEnding(false);
    const end = sessions.at(-1);
    if (end) setHere(toKey(end));
    list.current?.show(items.length - 1);
  }, [isEnding, isFetchingNextPage, hasNextPage, answer.isError, fetchNextPage, sessions, items.length]);

  const go = (session: SessionRow | undefined): void => {
    setEnding(false);
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
    /** The row that the keys are at, or the first one, as soon as the list is what was asked for. */
    choose: (open: (session: SessionRow | undefined) => void): void => {
      if (isBehind) waiting.current = open;
      else open(sessions[indexOf(here)] ?? sessions[0]);
    },
    /** Loads what is missing before it goes there. */
    last: () => setEnding(true),
    onNearEnd: useCallback(() => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    }, [hasNextPage, isFetchingNextPage, fetchNextPage]),
  };
}

export type SessionList = ReturnType<typeof useList>;
