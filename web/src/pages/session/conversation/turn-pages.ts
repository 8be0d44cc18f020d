/** Reads the turns that are looked at, a page at a time, and again only those that the agent has changed since. */
import { type QueryKey, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api } from "../../../lib/api.ts";
import { useStore } from "../../../lib/store.ts";
import { activeSessions } from "../../../live/live.ts";
import { type OutlineTurn, type Part, type Turn, type TurnsPage, toTurnsPage } from "../types.ts";

const PAGE = 10;
/** Of each tool result; the rest is read when it is asked for. */
const TEXT_LIMIT = 4_000;
/** Pages that are held, the last ones looked at. */
const MOST_PAGES = 24;

const pageOf = (turn: number): number => Math.floor(Math.max(0, turn) / PAGE);

/** Not below `session`: an event about the session does not make turns stale that the agent left alone. */
const pageKey = (key: string, page: number): QueryKey => ["turns", key, page];
export const turnKey = (key: string, turn: number): QueryKey => ["turns", key, "one", turn];

export interface TurnPages {
  readonly turnAt: (index: number) => Turn | undefined;
  readonly preamble: readonly Part[];
  /** Reads the pages that have these turns; of those that nobody looks at any more only some are kept. */
  readonly want: (turns: readonly number[]) => void;
  readonly error: Error | null;
  readonly retry: () => void;
}

export const pageQuery = (key: string, page: number) => ({
  queryKey: pageKey(key, page),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<TurnsPage> =>
    toTurnsPage(
      await api.turns(
        key,
        { from: page * PAGE, to: page * PAGE + PAGE - 1, textLimit: TEXT_LIMIT },
        { signal },
      ),
    ),
});

/** Starts to read before the outline is there. */
export const firstPage = (turn: number | undefined): number => pageOf(turn ?? 0);

export function useTurnPages(key: string, outline: readonly OutlineTurn[], first: number): TurnPages {
  const client = useQueryClient();
  const [pages, setPages] = useState<readonly number[]>(() => [pageOf(first)]);
  const want = useCallback((turns: readonly number[]): void => {
    const wanted = [...new Set(turns.map(pageOf))];
    setPages((before) =>
      wanted.every((page) => before.includes(page))
        ? before
        : [...before.filter((page) => !wanted.includes(page)), ...wanted].slice(-MOST_PAGES),
    );
  }, []);

  const { found, error } = useQueries({
    queries: pages.map((page) => pageQuery(key, page)),
    combine: useCallback(
      (results: readonly { data: TurnsPage | undefined; error: Error | null }[]) => ({
        found: results.map(({ data }) => data),
        error: results.find((result) => result.error !== null)?.error ?? null,
      }),
      [],
    ),
  });

  useChangedPages(key, outline, pages, found);

  const byIndex = useMemo(
    () => new Map(found.flatMap((page) => (page?.turns ?? []).map((turn) => [turn.index, turn] as const))),
    [found],
  );
  const preamble = useMemo(() => found.find((page) => page?.turns[0]?.index === 0)?.preamble ?? [], [found]);
  return {
    turnAt: useCallback((index: number) => byIndex.get(index), [byIndex]),
    preamble,
    want,
    error,
    retry: () => void client.refetchQueries({ queryKey: ["turns", key] }),
  };
}

/** A page is read again when the outline says that its turns are not what they were. */
function useChangedPages(
  key: string,
  outline: readonly OutlineTurn[],
  pages: readonly number[],
  found: readonly (TurnsPage | undefined)[],
): void {
  const client = useQueryClient();
  // The agent writes at the end: that page is read again at once, not only after the outline.
  const changedAt = useStore(activeSessions).get(key);
  const last = pageOf(outline.length - 1);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each event
  useEffect(() => {
    if (!isFirst.current) void client.invalidateQueries({ queryKey: pageKey(key, last) });
    isFirst.current = false;
  }, [changedAt]);
  const known = useRef(new Map<number, string>());
  useEffect(() => {
    pages.forEach((page, at) => {
      const answer = found[at];
      if (!answer) return;
      const turns = outline.slice(page * PAGE, page * PAGE + PAGE);
      const version = JSON.stringify(turns);
      const before = known.current.get(page);
      known.current.set(page, version);
      if (before !== version && !agrees(answer, turns))
        void client.invalidateQueries({ queryKey: pageKey(key, page) });
    });
    // What is not held is marked, too, for when it is looked at again.
    for (const page of known.current.keys())
      if (!pages.includes(page)) {
        known.current.delete(page);
        void client.invalidateQueries({ queryKey: pageKey(key, page), refetchType: "none" });
      }
  }, [client, found, key, outline, pages]);
}

/** A page may be newer than the outline, or older: they are answered apart. Without times nobody knows. */
const agrees = ({ turns }: TurnsPage, outline: readonly OutlineTurn[]): boolean =>
  turns.length === outline.length &&
  turns.every(({ endedAt }, at) => endedAt !== null && endedAt === outline[at]?.endedAt);
