/** What was worked on in a time, to read or to paste where the team reads it. */
import { useQuery } from "@tanstack/react-query";
import { ClipboardCopy, ClipboardList } from "lucide-react";
import { type Ref, useMemo } from "react";
import { markdownStandup } from "../../../../src/present/markdown/standup.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { rangeText } from "../../../../src/present/text/range.ts";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { api, keys } from "../../lib/api.ts";
import { copyText } from "../../lib/clipboard.ts";
import { useNow } from "../../lib/use-now.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { sinceOf } from "./ranges.ts";
import { longer, ReportBar, useRange } from "./report-bar.tsx";
import { type Standup, StandupView } from "./standup-view.tsx";

export function StandupReport({ view }: { readonly view: Ref<HTMLDivElement> }) {
  const { range, setRange } = useRange("24h");
  const now = useNow();
  const since = useMemo(() => sinceOf(range, now), [range, now]);
  const { data, error, refetch } = useQuery({
    queryKey: keys.report("standup", since),
    queryFn: ({ signal }) => api.standup({ since }, { signal }),
    placeholderData: (before) => before,
  });
  const isEmpty = data?.repositories.length === 0;
  const copy = (): void => {
    if (data && !isEmpty) void copyText(toMarkdown(data), "The report is");
  };
  useShortcuts([{ keys: "y", label: "Copy the report as Markdown", group: "Reports", run: copy }]);
  const further = longer(range);
  return (
    <Page
      ref={view}
      title="Standup"
      facts={data && factsOf(data)}
      actions={
        <Button icon={<ClipboardCopy />} keys="y" disabled={!data || isEmpty} onClick={copy}>
          Copy as Markdown
        </Button>
      }
    >
      <ReportBar report="standup" range={range} setRange={setRange} />
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={6} height={72} />
      ) : isEmpty ? (
        <Empty
          title="Nothing was done in this time"
          icon={<ClipboardList />}
          action={further && <Button onClick={() => setRange(further)}>Look further back</Button>}
        >
          No session has a turn from {rangeText(data)}.
        </Empty>
      ) : (
        <StandupView standup={data} />
      )}
    </Page>
  );
}

const factsOf = (standup: Standup): string =>
  [
    plural(standup.sessionCount, "session", "sessions"),
    plural(standup.turns, "turn", "turns"),
    rangeText(standup),
  ].join(" · ");

/** As the command prints it. */
const toMarkdown = (standup: Standup): string =>
  // Where the answer has nothing it says null, and the report leaves it out.
  markdownStandup(JSON.parse(JSON.stringify(standup), (_, value) => value ?? undefined));
