/** How much was done: turns by day as a calendar, tokens by week as a plot. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { Answer } from "../../../../src/client/types.ts";
import { amount, compact, plural } from "../../../../src/present/text/measure.ts";
import { api, keys } from "../../lib/api.ts";
import { sourceOf } from "../../lib/sources.ts";
import { useNow } from "../../lib/use-now.ts";
import css from "./activity.module.css";
import { mondayBefore } from "./calendar.ts";
import { HeatMap } from "./heat-map.tsx";
import { HomeSection } from "./home-section.tsx";
import { type WeekBar, WeekTable } from "./week-table.tsx";

/** The home page does without it where its library does not start, as in a browser with an odd locale. */
const WeekPlot = lazy(async () => {
  try {
    return { default: (await import("./week-plot.tsx")).WeekPlot };
  } catch {
    return { default: WeekTable };
  }
});

const WEEKS = 26;

type Row = Extract<Answer<"stats-by">["rows"][number], { key: string | null }>;
const isPeriod = (row: Answer<"stats-by">["rows"][number]): row is Row => "key" in row;

export function Activity() {
  const now = useNow();
  const since = mondayBefore(WEEKS - 1, now).toISOString();
  const days = useStats("day", since);
  const weeks = useStats("week", since);
  const turns = new Map(days?.rows.filter(isPeriod).map((row) => [row.key ?? "", row.turns]));
  const bars = weeks?.rows.filter(isPeriod) ?? [];
  const tokens = bars.reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0);
  const active = [...turns.values()].filter((count) => count > 0).length;
  return (
    <div className={css.activity}>
      <HomeSection
        title="Activity"
        {...(days && {
          count: `${plural(days.totals.turns, "turn", "turns")} on ${plural(active, "day", "days")}`,
        })}
      >
        <HeatMap turns={turns} weeks={WEEKS} now={now} />
      </HomeSection>
      <HomeSection
        title={tokens > 0 || !weeks ? "Tokens per week" : "Turns per week"}
        {...(tokens > 0 && { count: `${compact(tokens)} in ${plural(bars.length, "week", "weeks")}` })}
      >
        <div className={css.plot}>
          <Suspense>
            {weeks && <WeekPlot bars={toBars(bars, tokens > 0)} unit={tokens > 0 ? "tokens" : "turns"} />}
          </Suspense>
        </div>
        {tokens > 0 && weeks && weeks.unmetered.length > 0 && (
          <p className={css.note}>
            {weeks.unmetered.map((source) => sourceOf(source).short).join(" and ")} records no tokens.
          </p>
        )}
      </HomeSection>
    </div>
  );
}

function useStats(by: "day" | "week", since: string): Answer<"stats-by"> | undefined {
  const query = { since };
  return useQuery({
    queryKey: keys.stats({ by, ...query }),
    queryFn: ({ signal }) => api.statsBy(by, query, { signal }),
  }).data;
}

const toBars = (rows: readonly Row[], hasTokens: boolean): WeekBar[] =>
  rows.map((row) => ({
    start: row.key ?? "",
    value: hasTokens ? row.inputTokens + row.outputTokens : row.turns,
    about: hasTokens
      ? `${compact(row.inputTokens)} read (${compact(row.cachedTokens)} from a cache), ${compact(row.outputTokens)} written · ${amount(row.turns)} turns`
      : plural(row.turns, "turn", "turns"),
  }));
