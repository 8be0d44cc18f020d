/** What was done in the last half year, by day; weeks are added up from it, so that it is asked for once. */
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../../../src/client/types.ts";
import { api, keys } from "../../lib/api.ts";
import { useNow } from "../../lib/use-now.ts";
import { mondayBefore, mondayOf } from "./calendar.ts";

export const WEEKS = 26;

type AnyRow = Answer<"stats-by">["rows"][number];
type Period = Extract<AnyRow, { key: string | null }>;
const isPeriod = (row: AnyRow): row is Period => "key" in row;

/** Only what can be added: one session may have been worked on in two weeks. */
export type Sums = Pick<Period, "key" | "turns" | "inputTokens" | "cachedTokens" | "outputTokens">;

export function useStats() {
  const query = { since: mondayBefore(WEEKS - 1, useNow()).toISOString() };
  const { data } = useQuery({
    queryKey: keys.stats({ by: "day", ...query }),
    queryFn: ({ signal }) => api.statsBy("day", query, { signal }),
  });
  return {
    totals: data?.totals,
    unmetered: data?.unmetered ?? [],
    days: data?.rows.filter(isPeriod) ?? [],
  };
}

/** In the order of the days, which are in order and without gaps. */
export function toWeeks(days: readonly Sums[]): Sums[] {
  const weeks = Map.groupBy(
    days.flatMap((day) => (day.key === null ? [] : { ...day, key: day.key })),
    ({ key }) => mondayOf(key),
  );
  return [...weeks].map(([key, all]) => {
    const sum = (of: (day: Sums) => number): number => all.reduce((total, day) => total + of(day), 0);
    return {
      key,
      turns: sum(({ turns }) => turns),
      inputTokens: sum(({ inputTokens }) => inputTokens),
      cachedTokens: sum(({ cachedTokens }) => cachedTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
    };
  });
}
