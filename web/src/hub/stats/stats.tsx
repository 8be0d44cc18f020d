/** How much was done: day by day, and by person, repository, model, agent and tool. */
import { useNavigate } from "@tanstack/react-router";
import { ChartColumn } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { amount, compact, plural } from "../../../../src/present/text/measure.ts";
import { unreachableText } from "../../../../src/present/text/unreachable.ts";
import { Failure } from "../../change/failure.tsx";
import { sourceOf } from "../../lib/sources.ts";
import { line } from "../../lib/titles.ts";
import { useNow } from "../../lib/use-now.ts";
import { loadWeekPlot } from "../../pages/home/load-week-plot.ts";
import type { WeekBar } from "../../pages/home/week-table.tsx";
import { type Range, sinceOf, toRange } from "../../pages/reports/ranges.ts";
import { RangeMenu } from "../../pages/reports/report-bar.tsx";
import { statsRoute } from "../../router.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { useStops } from "../../ui/use-stops.ts";
import { PersonMenu, TeamMenu } from "../pickers.tsx";
import { ShareList, toShares, useShares } from "./shares.tsx";
import css from "./stats.module.css";

const Plot = lazy(loadWeekPlot);

export function Stats() {
  const { since: asked, person, team } = statsRoute.useSearch();
  const navigate = useNavigate();
  const now = useNow();
  const range = toRange(asked, "30d");
  const since = useMemo(() => sinceOf(range, now), [range, now]);
  const query = {
    since,
    ...(team !== undefined && { team }),
    ...(person !== undefined && { person }),
  };
  const days = useShares("day", query);
  const view = useStops("Statistics");
  const choose = (next: {
    readonly since?: Range;
    readonly person?: string | undefined;
    readonly team?: string | undefined;
  }): void =>
    void navigate({
      to: "/stats",
      search: (before) => ({ ...before, ...next }) as typeof before,
      replace: true,
    });
  const totals = days.data?.totals;
  return (
    <Page
      ref={view}
      title="Statistics"
      facts={
        totals &&
        [
          plural(totals.sessionCount, "session", "sessions"),
          plural(totals.turns, "turn", "turns"),
          plural(totals.toolCalls, "tool call", "tool calls"),
          `${compact(totals.inputTokens + totals.outputTokens)} tokens`,
          ...[unreachableText(days.data?.unreachable)].filter((text) => text !== undefined).map(line),
        ].join(" · ")
      }
      actions={
        <>
          <TeamMenu team={team} onChoose={(next) => choose({ team: next, person: undefined })} />
          <PersonMenu person={person} team={team} onChoose={(next) => choose({ person: next })} />
          <RangeMenu range={range} setRange={(next) => choose({ since: next })} />
        </>
      }
    >
      {days.error ? (
        <Failure error={days.error} retry={() => void days.refetch()} />
      ) : !days.data ? (
        <Skeleton rows={4} height={52} />
      ) : totals?.turns === 0 ? (
        <Empty title="Nothing was done in this time" icon={<ChartColumn />}>
          Choose a longer time, or another team.
        </Empty>
      ) : (
        <>
          <Section title="Turns per day">
            <div className={css.plot}>
              <Suspense>
                <Plot bars={toBars(days.data.rows)} unit="turns" days={1} />
              </Suspense>
            </div>
          </Section>
          <div className={css.grid}>
            <Shares
              title="People"
              by="person"
              query={query}
              toSearch={(name) => ({ person: name, ...(team !== undefined && { team }) })}
            />
            <Shares
              title="Repositories"
              by="repository"
              query={query}
              toSearch={(name) => ({ repo: name, ...(person !== undefined && { person }) })}
            />
            <Shares title="Models" by="model" query={query} toSearch={(name) => ({ model: name })} />
            <Shares
              title="Agents"
              by="source"
              query={query}
              toSearch={(name) => ({ source: name })}
              labelOf={(name) => sourceOf(name).short}
            />
            <Shares title="Tools" by="tool" query={query} />
          </div>
        </>
      )}
    </Page>
  );
}

/** Of tools there are hundreds, and of people thousands. */
const MOST = 20;

function Shares({
  title,
  by,
  query,
  ...list
}: Pick<Parameters<typeof ShareList>[0], "toSearch" | "labelOf"> & {
  readonly title: string;
  readonly by: "person" | "repository" | "model" | "source" | "tool";
  readonly query: Parameters<typeof useShares>[1];
}) {
  const { data, error, refetch } = useShares(by, query);
  const shares = data ? toShares(data) : [];
  return (
    <Section title={title}>
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={4} height={44} />
      ) : shares.length === 0 ? (
        <p className={css.none}>None is recorded.</p>
      ) : (
        <>
          <ShareList shares={shares} most={MOST} {...list} />
          {shares.length > MOST && <p className={css.none}>and {amount(shares.length - MOST)} more</p>}
        </>
      )}
    </Section>
  );
}

type Rows = NonNullable<ReturnType<typeof useShares>["data"]>["rows"];

const toBars = (rows: Rows): WeekBar[] =>
  rows.flatMap((row) =>
    "key" in row && row.key !== null
      ? [
          {
            start: row.key,
            value: row.turns,
            about: `${amount(row.sessionCount)} ${row.sessionCount === 1 ? "session" : "sessions"} · ${compact(row.inputTokens + row.outputTokens)} tokens`,
          },
        ]
      : [],
  );
