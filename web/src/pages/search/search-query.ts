/** Asks for what was said: hits page by page, grouped by session, and the facets beside them. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { HubNamed, HubSearchQuery } from "../../../../src/client/hub-types.ts";
import type { Page } from "../../../../src/client/types.ts";
import { api, keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import type { Filters } from "../../router.tsx";
import { toMoment } from "../sessions/filters.ts";

export interface SearchFilters extends Omit<Filters, "problems" | "copies"> {
  readonly role?: string;
  readonly file?: string;
  readonly tool?: string;
}

type Found = Page<"search">["hits"][number];
export type Hit = Omit<Found, "session"> & { readonly session: Found["session"] & Partial<HubNamed> };

/** A hub says with each hit whose session it is in. */
function toHit(found: Found & Partial<HubNamed>): Hit {
  const { person, hubSession, session } = found;
  if (person === undefined || hubSession === undefined) return found;
  return { ...found, session: { ...session, person, hubSession } };
}

/** The hits of one session; as they came, so that further ones move nothing. */
export interface HitGroup {
  readonly id: string;
  readonly session: Hit["session"];
  readonly hits: readonly Hit[];
}

const PAGE = 60;

export const ROLES = ["user", "assistant", "tool"] as const;
export type Role = (typeof ROLES)[number];
export const roleOf = ({ role }: SearchFilters): Role | undefined => ROLES.find((each) => each === role);
export const sortOf = ({ sort }: SearchFilters): "relevance" | "newest" =>
  sort === "newest" ? "newest" : "relevance";

function toQuery(q: string, filters: SearchFilters): HubSearchQuery {
  const { repo, workspace, branch, model, since, until, source, tag, file, tool, person, team } = filters;
  const role = roleOf(filters);
  return {
    q,
    ...(repo !== undefined && { repo }),
    ...(workspace !== undefined && { workspace }),
    ...(branch !== undefined && { branch }),
    ...(model !== undefined && { model }),
    ...(since !== undefined && { since: toMoment(since) }),
    ...(until !== undefined && { until: toMoment(until) }),
    ...(source !== undefined && { source: source.split(",") }),
    ...(tag !== undefined && { tag: tag.split(",") }),
    ...(file !== undefined && { file }),
    ...(tool !== undefined && { tool }),
    ...(person !== undefined && { person }),
    ...(team !== undefined && { team }),
    ...(role !== undefined && { role }),
  };
}

export function useHits(q: string, filters: SearchFilters) {
  const sort = sortOf(filters);
  const query: HubSearchQuery = { ...toQuery(q, filters), ...(sort === "newest" && { sort }), limit: PAGE };
  const answer = useInfiniteQuery({
    queryKey: [...keys.search(query), "pages"],
    queryFn: ({ pageParam, signal }) =>
      api.search(pageParam === null ? query : { ...query, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    enabled: q !== "",
  });
  const groups = useMemo(
    () =>
      q === "" ? [] : (answer.data?.pages.flatMap((page, at) => toGroups(page.hits.map(toHit), at)) ?? []),
    [q, answer.data],
  );
  return { ...answer, groups, first: q === "" ? undefined : answer.data?.pages[0] };
}

function toGroups(hits: readonly Hit[], page: number): HitGroup[] {
  const groups = Map.groupBy(hits, ({ session }) => toKey(session));
  return [...groups].flatMap(([key, all]) =>
    all[0] ? [{ id: `${page} ${key}`, session: all[0].session, hits: all }] : [],
  );
}

/** How many sessions with hits each further filter would leave. */
export function useSearchFacets(q: string, filters: SearchFilters) {
  const query = { ...toQuery(q, filters), facets: true, limit: 1 };
  const { data } = useQuery({
    queryKey: keys.search(query),
    queryFn: ({ signal }) => api.search(query, { signal }),
    placeholderData: keepPreviousData,
    enabled: q !== "",
  });
  return q === "" ? undefined : data?.facets;
}
