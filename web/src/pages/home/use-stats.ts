/** What was done in the last half year, by day or by week. */
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../../../src/client/types.ts";
import { api, keys } from "../../lib/api.ts";
import { useNow } from "../../lib/use-now.ts";
import { mondayBefore } from "./calendar.ts";

export const WEEKS = 26;

type AnyRow = Answer<"stats-by">["rows"][number];
export type Period = Extract<AnyRow, { key: string | null }>;
const isPeriod = (row: AnyRow): row is Period => "key" in row;

export function useStats(by: "day" | "week") {
  const query = { since: mondayBefore(WEEKS - 1, useNow()).toISOString() };
  const { data } = useQuery({
    queryKey: keys.stats({ by, ...query }),
    queryFn: ({ signal }) => api.statsBy(by, query, { signal }),
  });
  return {
    totals: data?.totals,
    unmetered: data?.unmetered ?? [],
    rows: data?.rows.filter(isPeriod) ?? [],
  };
}
