/** Tokens by week as a plot; turns where no program records tokens. */
import { lazy, Suspense } from "react";
import { amount, compact, plural } from "../../../../src/present/text/measure.ts";
import { sourceOf } from "../../lib/sources.ts";
import { HomeSection } from "./home-section.tsx";
import { loadWeekPlot } from "./load-week-plot.ts";
import { type Sums, toWeeks, useStats } from "./use-stats.ts";
import type { WeekBar } from "./week-table.tsx";
import css from "./weeks.module.css";

const WeekPlot = lazy(loadWeekPlot);

export function Weeks() {
  const { totals, unmetered, days } = useStats();
  const rows = toWeeks(days);
  const tokens = rows.reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0);
  const hasTokens = tokens > 0 || totals === undefined;
  return (
    <HomeSection
      title={hasTokens ? "Tokens per week" : "Turns per week"}
      {...(tokens > 0 && { count: `${compact(tokens)} in ${plural(rows.length, "week", "weeks")}` })}
    >
      <div className={css.plot}>
        <Suspense>
          {rows.length > 0 && (
            <WeekPlot bars={rows.map(hasTokens ? tokensOf : turnsOf)} unit={hasTokens ? "tokens" : "turns"} />
          )}
        </Suspense>
      </div>
      {tokens > 0 && unmetered.length > 0 && (
        <p className={css.note}>
          {unmetered.map((source) => sourceOf(source).short).join(" and ")} records no tokens.
        </p>
      )}
    </HomeSection>
  );
}

const turnsOf = ({ key, turns }: Sums): WeekBar => ({
  start: key ?? "",
  value: turns,
  about: plural(turns, "turn", "turns"),
});

const tokensOf = ({ key, turns, inputTokens, cachedTokens, outputTokens }: Sums): WeekBar => ({
  start: key ?? "",
  value: inputTokens + outputTokens,
  about: `${compact(inputTokens)} read (${compact(cachedTokens)} from a cache), ${compact(outputTokens)} written · ${amount(turns)} turns`,
});
