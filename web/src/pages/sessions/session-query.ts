/** Asks for sessions as the address narrows them: page by page, the facets beside them, and all names at once. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { HubFacts, HubReached } from "../../../../src/client/hub-types.ts";
import type { Answer } from "../../../../src/client/types.ts";
import { api, keys } from "../../lib/api.ts";
import { withoutOwners } from "../../lib/mode.ts";
import { useDebounced } from "../../lib/use-debounced.ts";
import type { Filters } from "../../router.tsx";
import { toMoment } from "./filters.ts";

export type SessionRow = Answer<"list">["sessions"][number] & Partial<HubFacts>;
type FacetValues = readonly { readonly value: string; readonly count: number }[];
export type Facets = NonNullable<Answer<"list">["facets"]> & {
  /** On a hub. */
  readonly people?: FacetValues;
  readonly teams?: FacetValues;
};

/** The first page is there at once; who scrolls on gets larger ones. */
const FIRST_PAGE = 200;
const NEXT_PAGE = 2500;

/** After the last letter. */
const FACETS_AFTER_MS = 150;

const SORTS = ["active", "created", "title", "turns", "size"] as const;
export type Sort = (typeof SORTS)[number];
export const sortOf = ({ sort }: Filters): Sort => SORTS.find((each) => each === sort) ?? "active";

/** The filters as the API takes them, without the order. */
function toQuery({ q, source, tag, since, until, sort: _, ...rest }: Filters) {
  return {
    ...rest,
    ...(q !== undefined && q.trim() !== "" && { q: q.trim() }),
    ...(source !== undefined && { source: source.split(",") }),
    ...(tag !== undefined && { tag: tag.split(",") }),
    ...(since !== undefined && { since: toMoment(since) }),
    ...(until !== undefined && { until: toMoment(until) }),
  };
}

export function useSessions(filters: Filters) {
  const sort = sortOf(filters);
  // Who has each session open is asked for the latest ones alone (use-live.ts).
  const query = { ...toQuery(filters), sort, ...withoutOwners() };
  const answer = useInfiniteQuery({
    queryKey: [...keys.sessions(query), "pages"],
    queryFn: ({ pageParam, signal }) =>
      api.sessions(
        pageParam === null
          ? { ...query, limit: FIRST_PAGE }
          : { ...query, limit: NEXT_PAGE, cursor: pageParam },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = answer;
  const sessions = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.sessions) ?? [];
    return isPlaceholderData ? narrowed(all, filters.q) : all;
  }, [data, isPlaceholderData, filters.q]);
  const first: (Partial<HubReached> & { readonly total: number }) | undefined = data?.pages[0];
  return { ...answer, sessions, total: first?.total, unreachable: first?.unreachable, sort };
}

/** What is on the page already, for the moment that the answer takes; all of it where that would leave nothing. */
function narrowed(sessions: readonly SessionRow[], q = ""): readonly SessionRow[] {
  const words = q.toLowerCase().split(/\s+/);
  const left = sessions.filter(({ title, repository, branch, workspace }) => {
    const text = [title, repository, branch, workspace].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return left.length > 0 ? left : sessions;
}

/** How many sessions each further filter would leave. */
export function useFacets(filters: Filters): Facets | undefined {
  // The list comes first: counting takes longer than listing.
  const rested = useDebounced(JSON.stringify(toQuery(filters)), FACETS_AFTER_MS);
  const query = {
    ...(JSON.parse(rested) as ReturnType<typeof toQuery>),
    ...withoutOwners(),
    facets: true,
    limit: 1,
  };
  return useQuery({
    queryKey: keys.sessions(query),
    queryFn: ({ signal }) => api.sessions(query, { signal }),
    placeholderData: keepPreviousData,
  }).data?.facets;
}

/** Every session that the filters leave, for a change to all of them. */
export async function askForAll(filters: Filters): Promise<SessionRow[]> {
  const query = { ...toQuery(filters), sort: sortOf(filters), ...withoutOwners(), limit: 5000 };
  const all: SessionRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await api.sessions(cursor === undefined ? query : { ...query, cursor });
    all.push(...page.sessions);
    cursor = page.nextCursor;
  }
  return all;
}
