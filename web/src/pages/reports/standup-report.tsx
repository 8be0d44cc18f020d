/** What was worked on in a time, on this machine. */
import { type Ref, useMemo } from "react";
import { api } from "../../lib/api.ts";
import { useNow } from "../../lib/use-now.ts";
import { sinceOf } from "./ranges.ts";
import { ReportBar, useRange } from "./report-bar.tsx";
import { StandupPage } from "./standup-page.tsx";

export function StandupReport({ view }: { readonly view: Ref<HTMLDivElement> }) {
  const ranged = useRange("24h");
  const { range } = ranged;
  const now = useNow();
  const since = useMemo(() => sinceOf(range, now), [range, now]);
  return (
    <StandupPage
      view={view}
      bar={<ReportBar report="standup" {...ranged} />}
      query={{ since }}
      ask={(query, signal) => api.standup(query, { signal })}
      {...ranged}
    />
  );
}
