/** Writes that wait until VS Code closes, and what became of those that waited. */
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { plural } from "../../../../src/present/text/measure.ts";
import type { PastJob } from "../../change/writes.ts";
import { api, queryClient } from "../../lib/api.ts";
import { copyText } from "../../lib/clipboard.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/marks.tsx";
import { describe } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import css from "./history.module.css";

const isActive = ({ state }: PastJob): boolean => state === "waiting" || state === "running";

export function Jobs({ jobs }: { readonly jobs: readonly PastJob[] }) {
  const active = jobs.filter(isActive);
  const over = jobs.filter((job) => !isActive(job));
  if (jobs.length === 0) return null;
  return (
    <section className={css.jobs} aria-label="Changes in the background">
      {active.length > 0 && (
        <>
          <h2>Waiting</h2>
          <ul className={css.writes}>
            {active.map((job) => (
              <JobRow key={job.job} job={job} />
            ))}
          </ul>
        </>
      )}
      {over.length > 0 && (
        <details>
          <summary>{plural(over.length, "change", "changes")} made or ended in the background</summary>
          <ul className={css.writes}>
            {over.map((job) => (
              <JobRow key={job.job} job={job} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const TONES = { waiting: "warn", running: "warn", done: "ok", cancelled: "plain" } as const;

function JobRow({ job }: { readonly job: PastJob }) {
  const { state, command, createdAt, waitsFor, error, operations } = job;
  const cancel = useMutation({
    mutationFn: () => api.cancelJob(job.job),
    onSuccess: () => {
      toast({ text: "Cancelled; nothing was written" });
      void queryClient.invalidateQueries({ queryKey: ["history"] });
    },
    onError: (failure) => toast({ text: describe(failure).message, isError: true }),
  });
  return (
    <li className={css.job}>
      <div className={css.jobWords}>
        <code>{command}</code>
        <span className={css.sub}>
          <Time at={createdAt} />
          <code>{job.job}</code>
          {state === "waiting" && <span>waits for {waitsFor ?? "VS Code to close"}</span>}
          {state === "interrupted" && <span>its process ended before it did</span>}
          {error && (
            <span className={css.bad}>
              {error.message} ({error.code})
            </span>
          )}
          {operations.map((operation) => (
            <Link key={operation} to="/history" search={{ operation }}>
              wrote <code>{operation}</code>
            </Link>
          ))}
        </span>
      </div>
      <Badge tone={state in TONES ? TONES[state as keyof typeof TONES] : "bad"}>{state}</Badge>
      {state === "waiting" && (
        <Button size="small" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {(state === "failed" || state === "interrupted") && (
        <Button size="small" onClick={() => void copyText(command, "Command")}>
          Copy the command
        </Button>
      )}
    </li>
  );
}
