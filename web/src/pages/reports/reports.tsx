/** Reports: what was worked on, which habits cost time, and what the agents should be told once and for all. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ClipboardCopy, ClipboardList } from "lucide-react";
import { useMemo, useRef } from "react";
import { markdownStandup } from "../../../../src/present/markdown/standup.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { rangeText } from "../../../../src/present/text/range.ts";
import { useShortcuts } from "../../keys/keys.ts";
import { api, keys } from "../../lib/api.ts";
import { copyText } from "../../lib/clipboard.ts";
import { useNow } from "../../lib/use-now.ts";
import { reportsRoute } from "../../router.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Empty, Failure, Skeleton } from "../../ui/states.tsx";
import { RANGES, type Range, sinceOf, toRange } from "./ranges.ts";
import css from "./reports.module.css";
import { type Standup, StandupView } from "./standup-view.tsx";

export function Reports() {
  const { since } = reportsRoute.useSearch();
  const navigate = useNavigate();
  const range = toRange(since, "24h");
  const setRange = (next: Range): void =>
    void navigate({ to: "/reports", search: (before) => ({ ...before, since: next }), replace: true });
  const view = useRef<HTMLDivElement>(null);
  const standup = useStandup(range);
  const { data, error, refetch } = standup;
  const copy = (): void => {
    if (data) void copyText(toMarkdown(data), "The report is");
  };
  useShortcuts([
    { keys: "y", label: "Copy the report as Markdown", group: "Reports", run: copy },
    { keys: "j", label: "Next entry", group: "Reports", isKeyOnly: true, run: () => move(view.current, 1) },
    {
      keys: "k",
      label: "Previous entry",
      group: "Reports",
      isKeyOnly: true,
      run: () => move(view.current, -1),
    },
  ]);
  return (
    <Page
      ref={view}
      title="Standup"
      facts={data && factsOf(data)}
      actions={
        <Button icon={<ClipboardCopy />} keys="y" disabled={!data?.sessionCount} onClick={copy}>
          Copy as Markdown
        </Button>
      }
    >
      <div className={css.bar}>
        <Segmented label="Time" choices={RANGES} value={range} onChoose={setRange} />
      </div>
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={6} height={72} />
      ) : data.repositories.length === 0 ? (
        <Empty
          title="Nothing was done in this time"
          icon={<ClipboardList />}
          action={
            range !== "90d" && <Button onClick={() => setRange(longer(range))}>Look further back</Button>
          }
        >
          No session has a turn {rangeText(data)}.
        </Empty>
      ) : (
        <StandupView standup={data} />
      )}
    </Page>
  );
}

function useStandup(range: Range) {
  const now = useNow();
  const since = useMemo(() => sinceOf(range, now), [range, now]);
  return useQuery({
    queryKey: keys.report("standup", since),
    queryFn: ({ signal }) => api.standup({ since }, { signal }),
    placeholderData: (before) => before,
  });
}

const factsOf = (standup: Standup): string =>
  [
    plural(standup.sessionCount, "session", "sessions"),
    plural(standup.turns, "turn", "turns"),
    plural(standup.repositories.length, "repository", "repositories"),
    rangeText(standup),
  ].join(" · ");

function longer(range: Range): Range {
  const at = RANGES.findIndex(({ value }) => value === range);
  return RANGES[Math.min(at + 1, RANGES.length - 1)]?.value ?? "90d";
}

/** As the command prints it. */
const toMarkdown = (standup: Standup): string =>
  // Where the answer has nothing it says null, and the report leaves it out.
  markdownStandup(JSON.parse(JSON.stringify(standup), (_, value) => value ?? undefined));

function move(view: HTMLElement | null, by: number): void {
  const stops = [...(view?.querySelectorAll<HTMLElement>("[data-stop]") ?? [])];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[at < 0 ? 0 : Math.min(stops.length - 1, Math.max(0, at + by))]?.focus();
}
