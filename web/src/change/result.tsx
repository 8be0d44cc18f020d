/** What was done, where to continue, and the way back. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, Check, Copy, Hourglass, Undo2 } from "lucide-react";
import { day } from "../../../src/present/text/measure.ts";
import { api, keys } from "../lib/api.ts";
import { copyText } from "../lib/clipboard.ts";
import { toKey } from "../lib/session-key.ts";
import { useNow } from "../lib/use-now.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import css from "./change.module.css";
import { closeChange, openChange } from "./change.ts";
import { KINDS, MAKES_NEW, SIZED } from "./kinds.ts";
import { SizeChange } from "./plan/size-change.tsx";
import type { Written } from "./plans.ts";
import type { Change, Job } from "./use-change.ts";
import { VsCodeResult } from "./vscode-result.tsx";

export function Result({ change, written }: { readonly change: Change; readonly written: Written }) {
  const { kind, sessions } = change.request;
  const { session, resume, stats, notices, operation } = written;
  // Of several at once, none is the result.
  const isOne = MAKES_NEW.has(kind) || sessions.length === 1;
  const isThere = isOne && session !== null && kind !== "delete" && written.sessionPath !== null;
  const isNew = isThere && !sessions.includes(toKey(session));
  const isVsCodeClone = kind === "clone" && isThere && session.source === "vscode";
  return (
    <div className={css.result} role="status">
      <h2>
        <span className={css.tick}>
          <Check aria-hidden="true" />
        </span>
        {isVsCodeClone ? "Session cloned successfully!" : KINDS[kind].done}
      </h2>
      {isVsCodeClone && <VsCodeResult written={written} />}
      {stats && SIZED.has(kind) && stats.removedTokens !== 0 && <SizeChange stats={stats} />}
      {isThere && !isVsCodeClone && (
        <dl className={css.facts}>
          <div>
            <dt>{isNew ? "New session" : "Session"}</dt>
            <dd>
              <code>{session.id}</code>
            </dd>
          </div>
          {written.sessionPath !== null && (
            <div>
              <dt>File</dt>
              <dd>
                <code className={css.path} title={written.sessionPath}>
                  <bdi>{written.sessionPath}</bdi>
                </code>
              </dd>
            </div>
          )}
          {resume !== null && (
            <div>
              <dt>Continue</dt>
              <dd>
                <code>{resume}</code>
              </dd>
            </div>
          )}
        </dl>
      )}
      {notices.length > 0 && (
        <ul className={css.notices}>
          {notices.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <WayBack operation={operation} />
      <div className={css.actions}>
        {resume !== null && (
          <Button tone="primary" icon={<Copy />} onClick={() => void copyText(resume, "Command")}>
            Continue: copy the command
          </Button>
        )}
        {isThere && (
          <Link
            to="/s/$key"
            params={{ key: toKey(session) }}
            className={buttonClass({})}
            onClick={() => closeChange()}
          >
            {isNew ? "Open the new session" : "Open the session"}
            <ArrowRight aria-hidden="true" />
          </Link>
        )}
        <Button
          icon={<Undo2 />}
          onClick={() => openChange({ kind: "undo", sessions: [], input: { operation } })}
        >
          {kind === "undo" ? "Redo…" : "Undo…"}
        </Button>
      </div>
    </div>
  );
}

/** Until when it can be undone. */
function WayBack({ operation }: { readonly operation: string }) {
  const now = useNow();
  const { data } = useQuery({
    queryKey: [...keys.history, operation],
    queryFn: ({ signal }) => api.history({ signal }),
    select: ({ writes, backups }) => ({
      until: writes.find((each) => each.operation === operation)?.backup.until ?? null,
      days: backups.days,
    }),
  });
  if (!data) return null;
  const { until, days } = data;
  return (
    <p className={css.muted}>
      {until === "confirmed"
        ? `It can be undone until you confirm it in the history, or continue the session; the backup is kept for ${days} days after that.`
        : until === null || until === "gone"
          ? "It can be undone at any time."
          : `It can be undone until ${day(new Date(until), now)}.`}{" "}
      <Link to="/history" search={{ operation }} onClick={() => closeChange()}>
        History
      </Link>
    </p>
  );
}

/** A job that waits for VS Code to end. */
export function Waiting({ job }: { readonly job: Job }) {
  return (
    <div className={css.result} role="status">
      <h2>
        <span className={css.tick} data-waits>
          <Hourglass aria-hidden="true" />
        </span>
        It waits for VS Code to close
      </h2>
      <p className={css.muted}>
        When all its windows are closed, the change is planned anew and written, also when this page is
        closed. Until then nothing is written, and it can be cancelled in the{" "}
        <Link to="/history" onClick={() => closeChange()}>
          history
        </Link>
        .
      </p>
      <dl className={css.facts}>
        <div>
          <dt>Job</dt>
          <dd>
            <code>{job.job}</code>
          </dd>
        </div>
        <div>
          <dt>Command</dt>
          <dd>
            <code>{job.command}</code>
          </dd>
        </div>
      </dl>
    </div>
  );
}
