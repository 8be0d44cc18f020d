/** How much was done on each day, as a calendar. */
import { plural } from "../../../../src/present/text/measure.ts";
import { useNow } from "../../lib/use-now.ts";
import { HeatMap } from "./heat-map.tsx";
import { HomeSection } from "./home-section.tsx";
import { useStats, WEEKS } from "./use-stats.ts";

export function Activity() {
  const now = useNow();
  const { totals, days } = useStats();
  const turns = new Map(days.map((row) => [row.key ?? "", row.turns]));
  const active = [...turns.values()].filter((count) => count > 0).length;
  return (
    <HomeSection
      title="Activity"
      {...(totals && {
        count: `${plural(totals.turns, "turn", "turns")} on ${plural(active, "day", "days")}`,
      })}
    >
      <HeatMap turns={turns} weeks={WEEKS} now={now} />
    </HomeSection>
  );
}
