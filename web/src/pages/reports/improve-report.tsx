/** Lines that the agents' instructions lack, judging by what was corrected: chosen here, shown as a diff, written as shown. */
import { useQuery } from "@tanstack/react-query";
import { ListPlus } from "lucide-react";
import { type Ref, useMemo, useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { rangeText } from "../../../../src/present/text/range.ts";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { line } from "../../lib/titles.ts";
import { useNow } from "../../lib/use-now.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField } from "../../ui/field.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { ImprovePlan } from "./improve-plan.tsx";
import { sinceOf } from "./ranges.ts";
import { longer, ReportBar, useRange } from "./report-bar.tsx";
import css from "./reports.module.css";

type Improvements = Awaited<ReturnType<typeof api.improvements>>;
type Finding = Improvements["findings"][number];

export function ImproveReport({ view }: { readonly view: Ref<HTMLDivElement> }) {
  const { range, setRange } = useRange("90d");
  const now = useNow();
  const since = useMemo(() => sinceOf(range, now), [range, now]);
  const { data, error, refetch } = useQuery({
    queryKey: keys.report("improve", since),
    queryFn: ({ signal }) => api.improvements({ since }, { signal }),
    placeholderData: (before) => before,
  });
  const further = longer(range);
  return (
    <Page
      ref={view}
      title="Improve"
      facts={
        data &&
        `from ${plural(data.sessionCount, "session", "sessions")} and ${plural(data.turns, "turn", "turns")} · ${rangeText(data)}`
      }
    >
      <ReportBar report="improve" range={range} setRange={setRange} />
      {data?.notes.map((note) => (
        <p key={note} className={css.note}>
          {line(note)}
        </p>
      ))}
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={5} height={96} />
      ) : data.findings.length === 0 ? (
        <Empty
          title="The instructions lack nothing that you said"
          icon={<ListPlus />}
          action={further && <Button onClick={() => setRange(further)}>Look further back</Button>}
        >
          Where an agent was corrected, or reached for the wrong command again and again, a line for
          AGENTS.md, CLAUDE.md or copilot-instructions.md is proposed here.
        </Empty>
      ) : (
        <Proposals data={data} since={since} />
      )}
    </Page>
  );
}

function Proposals({ data, since }: { readonly data: Improvements; readonly since: string }) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = data.findings.filter(({ id }) => !left.has(id)).map(({ id }) => id);
  const repositories = Map.groupBy(data.findings, ({ repository }) => repository ?? "No repository");
  const choose = (id: string, isChosen: boolean): void =>
    setLeft((before) => {
      const after = new Set(before);
      if (isChosen) after.delete(id);
      else after.add(id);
      return after;
    });
  return (
    <>
      {[...repositories].map(([repository, findings]) => (
        <Section key={repository} title={line(repository)}>
          <ul>
            {findings.map((finding) => (
              <Proposal
                key={finding.id}
                finding={finding}
                isChosen={!left.has(finding.id)}
                onChoose={(isChosen) => choose(finding.id, isChosen)}
              />
            ))}
          </ul>
        </Section>
      ))}
      <ImprovePlan findings={chosen} since={since} />
    </>
  );
}

function Proposal({
  finding: { line: wanted, title, evidence },
  isChosen,
  onChoose,
}: {
  readonly finding: Finding;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}) {
  return (
    <li className={css.finding} data-left={!isChosen || undefined}>
      <CheckField label={line(wanted)} hint={line(title)} isChecked={isChosen} onCheck={onChoose} />
      <EvidenceList evidence={evidence} />
    </li>
  );
}
