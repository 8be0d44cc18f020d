/** The families, and on demand the sessions that have no relatives, a page at a time. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api, keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { keysOf, type Relative } from "./rows.ts";

const PAGE = 200;

export function useRelatives({ session, all }: { readonly session?: string; readonly all?: true }) {
  const tree = useQuery({
    queryKey: [...keys.tree, session ?? null],
    queryFn: ({ signal }) => (session === undefined ? api.tree({ signal }) : api.family(session, { signal })),
  });
  const others = useInfiniteQuery({
    queryKey: keys.sessions({ of: "tree" }),
    queryFn: ({ pageParam, signal }) =>
      api.sessions(
        { limit: PAGE, owners: false, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: all === true && session === undefined,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = others;
  const isWanted = all === true && session === undefined;
  const lone = useMemo((): readonly Relative[] => {
    if (!isWanted || !tree.data) return [];
    const related = new Set(tree.data.families.flatMap(keysOf));
    return (data?.pages ?? [])
      .flatMap(({ sessions }) => sessions)
      .filter((each) => !related.has(toKey(each)))
      .map(({ source, id, title, turns, createdAt, updatedAt, vanishedAt }) => ({
        ...{ source, id, title, turns, createdAt, updatedAt, vanishedAt },
        kind: null,
        isHere: true,
        children: [],
      }));
  }, [data, tree.data, isWanted]);
  return {
    tree,
    lone,
    error: tree.error ?? (isWanted ? others.error : null),
    more: hasNextPage && !isFetchingNextPage && isWanted ? () => void fetchNextPage() : undefined,
  };
}

/** Asks for the next page when the end is in sight. */
export function useEndInSight(isInSight: boolean, more: (() => void) | undefined): void {
  useEffect(() => {
    if (isInSight) more?.();
  }, [isInSight, more]);
}
