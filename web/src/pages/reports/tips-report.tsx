/** Habits that cost time or tokens, what costs most first, each with where it was seen and what to do instead. */
import { useQuery } from "@tanstack/react-query";
import { Lightbulb } from "lucide-react";
import { type Ref, useMemo } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { rangeText } from "../../../../src/present/text/range.ts";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { useNow } from "../../lib/use-now.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { FindingCard } from "./finding-card.tsx";
import { sinceOf } from "./ranges.ts";
import { longer, ReportBar, useRange } from "./report-bar.tsx";
import css from "./reports.module.css";

export function TipsReport({ view }: { readonly view: Ref<HTMLDivElement> }) {
  const { range, setRange } = useRange("90d");
  const now = useNow();
  const since = useMemo(() => sinceOf(range, now), [range, now]);
  const { data, error, refetch } = useQuery({
    queryKey: keys.report("tips", since),
    queryFn: ({ signal }) => api.tips({ since }, { signal }),
    placeholderData: (before) => before,
  });
  const further = longer(range);
  return (
    <Page
      ref={view}
      title="Tips"
      facts={
        data &&
        `from ${plural(data.sessionCount, "session", "sessions")} and ${plural(data.turns, "turn", "turns")} · ${rangeText(data)}`
      }
    >
      <ReportBar report="tips" range={range} setRange={setRange} />
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={5} height={96} />
      ) : data.findings.length === 0 ? (
        <Empty
          title="No habit stands out"
          icon={<Lightbulb />}
          action={further && <Button onClick={() => setRange(further)}>Look further back</Button>}
        >
          Nothing in {plural(data.sessionCount, "session", "sessions")} costs time or tokens again and again.
        </Empty>
      ) : (
        <ol className={css.findings}>
          {data.findings.map((finding) => (
            <FindingCard key={`${finding.kind} ${finding.title}`} {...finding} />
          ))}
        </ol>
      )}
    </Page>
  );
}
