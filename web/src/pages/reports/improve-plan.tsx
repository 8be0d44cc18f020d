/** What the chosen lines would add to which file, and the button that writes exactly that. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { openChange } from "../../change/change.ts";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { DiffView } from "../../text/diff-view.tsx";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/states.tsx";
import css from "./reports.module.css";
import { toDiffLines } from "./unified-diff.ts";

type Written = Awaited<ReturnType<typeof api.apply>>;

export function ImprovePlan({
  findings,
  since,
}: {
  readonly findings: readonly string[];
  readonly since: string;
}) {
  const [written, setWritten] = useState<Written>();
  const [failure, setFailure] = useState<unknown>();
  const [isWriting, setWriting] = useState(false);
  const plan = useQuery({
    queryKey: keys.report("improve-plan", [since, ...findings]),
    queryFn: ({ signal }) => api.plan("improve", { since, findings: [...findings] }, { signal }),
    enabled: findings.length > 0 && written === undefined,
    // A plan is kept for a while only, and written once.
    gcTime: 0,
    staleTime: 0,
  });
  const write = async (fingerprint: string): Promise<void> => {
    setWriting(true);
    setFailure(undefined);
    try {
      setWritten(await api.apply(fingerprint));
    } catch (error) {
      setFailure(error);
      void plan.refetch();
    } finally {
      setWriting(false);
    }
  };
  if (written) return <Result written={written} />;
  if (findings.length === 0) return <p className={css.note}>Choose the lines that should be written.</p>;
  const error = failure ?? plan.error;
  const { data } = plan;
  if (!error && data?.changes.length === 0) return <p className={css.note}>None of this can be written.</p>;
  return (
    <Section
      title="What will be written"
      actions={
        data && (
          <Button
            tone="primary"
            disabled={isWriting || plan.isFetching}
            onClick={() => void write(data.fingerprint)}
          >
            Write {plural(findings.length, "line", "lines")}
          </Button>
        )
      }
    >
      {error ? (
        <Failure error={error} retry={() => void plan.refetch()} />
      ) : !data ? (
        <Skeleton rows={2} height={80} />
      ) : (
        data.changes.map(({ path, isNew, diff }) => (
          <article key={path} className={css.change}>
            <header>
              <code className={`${css.path} ellipsis`} title={path}>
                <bdi>{path}</bdi>
              </code>
              <span className={css.count}>{isNew ? "new file" : "changed"}</span>
            </header>
            <DiffView lines={toDiffLines(diff)} language="markdown" />
          </article>
        ))
      )}
    </Section>
  );
}

function Result({ written: { operation } }: { readonly written: Written }) {
  return (
    <div className={css.written} role="status">
      <CircleCheck aria-hidden="true" />
      <p>
        Written, with a backup. It is in the{" "}
        <Link to="/history" search={{ operation }}>
          history
        </Link>
        .
      </p>
      <Button size="small" onClick={() => openChange({ kind: "undo", sessions: [], input: { operation } })}>
        Undo…
      </Button>
    </div>
  );
}
