/** How the hub is: what it keeps, and what waits to be made of it. For those who run it. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck, Hourglass, RotateCw, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { HubStatus } from "../../../../src/client/hub-types.ts";
import { amount, bytes, plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { queryClient } from "../../lib/api.ts";
import { line } from "../../lib/titles.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { describe, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.ts";
import { hubApi, hubKeys } from "../api.ts";
import css from "./status.module.css";

/** While the page is looked at, the queue is asked for again so often. */
const AGAIN_MS = 5000;

export function Status() {
  const { data, error, refetch } = useQuery({
    queryKey: hubKeys.status,
    queryFn: ({ signal }) => hubApi.status({ signal }),
    refetchInterval: AGAIN_MS,
  });
  return (
    <Page
      title="Status"
      facts={data && `rethread ${line(data.version)} on PostgreSQL ${line(data.postgres)}`}
      actions={<Reindex />}
    >
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data ? (
        <Parts status={data} />
      ) : (
        <Skeleton rows={6} height={52} />
      )}
    </Page>
  );
}

function Reindex() {
  const [isAsking, setAsking] = useState(false);
  const reindex = useMutation({
    mutationFn: () => hubApi.reindex(),
    onSuccess: ({ queued }) => {
      setAsking(false);
      toast({ text: `${plural(queued, "session is", "sessions are")} reindexed` });
      return queryClient.invalidateQueries({ queryKey: hubKeys.status });
    },
    onError: (error) => toast({ text: `${describe(error).message}.`, isError: true }),
  });
  return (
    <>
      <Button icon={<RotateCw />} onClick={() => setAsking(true)}>
        Reindex everything…
      </Button>
      {isAsking && (
        <Dialog
          title="Reindex everything"
          size="small"
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>Cancel</Button>
              <Button tone="primary" disabled={reindex.isPending} onClick={() => reindex.mutate()}>
                Reindex
              </Button>
            </>
          }
        >
          <p>
            What can be searched and counted is made again from what was pushed, in the background. Nothing is
            lost meanwhile; on a large hub it takes hours.
          </p>
        </Dialog>
      )}
    </>
  );
}

function Parts({ status }: { readonly status: HubStatus }) {
  const { people, revoked, teams, machines, sessionCount, sealed, shared, turns, raw, derived } = status;
  return (
    <>
      <Queue queue={status.backfill} />
      <div className={css.grid}>
        <Section title="People">
          <Facts
            facts={[
              ["People", amount(people)],
              ["No longer allowed", amount(revoked)],
              ["Teams", amount(teams)],
              ["Machines that have pushed", amount(machines)],
            ]}
          />
        </Section>
        <Section title="Sessions">
          <Facts
            facts={[
              ["Sessions", amount(sessionCount)],
              ["Shared with a team", amount(shared)],
              ["Sealed", amount(sealed)],
              ["Turns", amount(turns)],
            ]}
          />
        </Section>
        <Section title="Sizes">
          <Facts
            facts={[
              ["Pushed", `${bytes(raw.bytes)} in ${plural(raw.files, "file", "files")}`],
              ["Records", amount(raw.events)],
              ["On disk, as pushed", bytes(raw.diskBytes)],
              ["On disk, search rows", bytes(derived.diskBytes)],
              ["Whole database", bytes(status.databaseBytes)],
            ]}
          />
        </Section>
      </div>
    </>
  );
}

/** What was pushed becomes rows in the background: how far that is. */
function Queue({ queue }: { readonly queue: HubStatus["backfill"] }) {
  const { waiting, active, failed, behind, oldestSeconds, failures } = queue;
  const isDone = waiting + active + failed + behind === 0;
  const Icon = failed > 0 ? TriangleAlert : isDone ? CircleCheck : Hourglass;
  return (
    <Section title="Indexing">
      <p className={css.state} data-tone={failed > 0 ? "bad" : isDone ? "ok" : undefined} role="status">
        <Icon aria-hidden="true" />
        {isDone
          ? "Everything that was pushed can be searched."
          : [
              plural(waiting, "session waits", "sessions wait"),
              `${amount(active)} in progress`,
              behind > 0 && `${amount(behind)} behind what was pushed`,
              failed > 0 && `${amount(failed)} failed`,
              oldestSeconds > 0 && `the oldest for ${duration(oldestSeconds)}`,
            ]
              .filter(Boolean)
              .join(" · ")}
      </p>
      {failures.length > 0 && (
        <ul className={css.failures}>
          {failures.map(({ reason, count }) => (
            <li key={reason}>
              <b>{amount(count)}</b>
              <span>{line(reason)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const duration = (seconds: number): string =>
  seconds < 120
    ? plural(Math.round(seconds), "second", "seconds")
    : plural(Math.round(seconds / 60), "minute", "minutes");
