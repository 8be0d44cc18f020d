/** The standup of a team: what was worked on, by whom, and what was left open. */
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useNow } from "../../lib/use-now.ts";
import { sinceOf } from "../../pages/reports/ranges.ts";
import { RangeMenu, useRange } from "../../pages/reports/report-bar.tsx";
import css from "../../pages/reports/reports.module.css";
import { StandupPage } from "../../pages/reports/standup-page.tsx";
import { reportsRoute } from "../../router.tsx";
import { useStops } from "../../ui/use-stops.ts";
import { hubApi } from "../api.ts";
import { PersonMenu, TeamMenu } from "../pickers.tsx";

export function Reports() {
  const { person, team } = reportsRoute.useSearch();
  const navigate = useNavigate();
  const ranged = useRange("24h");
  const { range } = ranged;
  const now = useNow();
  const since = useMemo(() => sinceOf(range, now), [range, now]);
  const view = useStops("Reports");
  const choose = (next: { readonly person?: string | undefined; readonly team?: string | undefined }): void =>
    void navigate({
      to: "/reports",
      search: (before) => ({ ...before, ...next }) as typeof before,
      replace: true,
    });
  return (
    <StandupPage
      view={view}
      bar={
        <div className={css.bar}>
          <TeamMenu team={team} onChoose={(next) => choose({ team: next, person: undefined })} />
          <PersonMenu person={person} team={team} onChoose={(next) => choose({ person: next })} />
          <RangeMenu {...ranged} />
        </div>
      }
      query={{
        since,
        ...(team !== undefined && { team }),
        ...(person !== undefined && { person }),
      }}
      ask={(query, signal) => hubApi.standup(query, { signal })}
      {...ranged}
    />
  );
}
