/** One write: what it did to which session, its state, its backup, and the way back. */

import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Undo2 } from "lucide-react";
import { type ReactNode, useId } from "react";
import { bytes, clock, day, plural } from "../../../../src/present/text/measure.ts";
import { openChange } from "../../change/change.ts";
import { nounFor, WRITE_KINDS, type Write } from "../../change/writes.ts";
import { api, queryClient } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { useNow } from "../../lib/use-now.ts";
import { clean } from "../../text/clean.ts";
import { Button } from "../../ui/button.tsx";
import { Badge, SourceMark } from "../../ui/marks.tsx";
import { describe } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import css from "./history.module.css";

/** What was undone, or never came to be, cannot be undone; nor what has no backup any more. */
export const canUndo = ({ state, backup }: Write): boolean => state === "done" && backup.until !== "gone";

export function WriteRow({
  write,
  undoneBy,
  undone,
  isOpen,
  onToggle,
}: {
  readonly write: Write;
  readonly undoneBy: string | undefined;
  /** The kind of the write that this one undid. */
  readonly undone: Write["kind"] | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { operation, kind, at, state, title, from, backup } = write;
  const { done: did, icon: Icon } = WRITE_KINDS[kind];
  const done = undone === undefined ? did : `${did} the ${nounFor(undone)} of`;
  const details = useId();
  return (
    <li className={css.write} data-write={operation} data-state={state}>
      <div className={css.line}>
        <button
          type="button"
          id={`write-${operation}`}
          data-row
          className={css.main}
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={onToggle}
        >
          <ChevronRight className={css.chevron} aria-hidden="true" />
          <Icon className={css.kind} aria-hidden="true" />
          <span className={css.what}>
            <span className={css.title}>
              <b>{done}</b>
              <SourceMark source={from.source} />
              <span className="ellipsis" title={clean(title)}>
                {clean(title) || from.id}
              </span>
            </span>
            <span className={css.sub}>
              <time dateTime={at}>{clock(at)}</time>
              <code>{operation}</code>
              <Backup write={write} />
            </span>
          </span>
          <State write={write} />
        </button>
        {canUndo(write) ? (
          <Button
            size="small"
            icon={<Undo2 />}
            aria-label={`${kind === "undo" ? "Redo" : "Undo"}: ${done} ${title}`}
            onClick={() => openChange({ kind: "undo", sessions: [], input: { operation } })}
          >
            {kind === "undo" ? "Redo…" : "Undo…"}
          </Button>
        ) : (
          <span className={css.spacer} />
        )}
      </div>
      {isOpen && (
        <div id={details} className={css.details}>
          <Details write={write} undoneBy={undoneBy} />
          <div className={css.actions}>
            {backup.files > 0 && backup.until !== "gone" && (
              <Button
                size="small"
                onClick={() => openChange({ kind: "backup-copy", sessions: [], input: { operation } })}
              >
                Copy from the backup…
              </Button>
            )}
            {state === "done" && backup.until === "confirmed" && <Confirm operation={operation} />}
          </div>
        </div>
      )}
    </li>
  );
}

function State({ write: { state, became } }: { readonly write: Write }) {
  const done = became.filter((each) => each.became === "new").length;
  if (became.length > 0 && done < became.length)
    return (
      <Badge tone="warn">
        {done} of {became.length} done
      </Badge>
    );
  if (state === "done") return null;
  return (
    <Badge tone={state === "failed" ? "bad" : state === "pending" ? "warn" : "plain"}>
      {state === "pending" ? "being written" : state}
    </Badge>
  );
}

/** How much is kept, and until when. */
function Backup({ write: { backup, state } }: { readonly write: Write }) {
  const now = useNow();
  const { until, stored } = backup;
  if (until === null) return null;
  const size = stored > 0 ? `${bytes(stored)} ` : "";
  const when =
    until === "gone"
      ? "is gone"
      : until === "confirmed"
        ? "kept until confirmed"
        : new Date(until) > now
          ? `kept until ${day(new Date(until), now)}`
          : "has expired";
  return <span>{state === "undone" ? `backup ${size}${when}` : `${size}backup ${when}`}</span>;
}

function Details({ write, undoneBy }: { readonly write: Write; readonly undoneBy: string | undefined }) {
  const { session, from, kind, state, undoes, backup, at } = write;
  const isOther = toKey(session) !== toKey(from);
  const isThere = state === "done" && kind !== "delete" && session.id !== "";
  return (
    <dl className={css.facts}>
      <Fact label="When">
        <Time at={at} />
      </Fact>
      {isOther && from.id !== "" && (
        <Fact label={kind === "undo" ? "Session" : "From"}>
          <SessionLink session={from} />
        </Fact>
      )}
      {session.id !== "" && (
        <Fact label={isOther ? "New session" : "Session"}>
          {isThere ? <SessionLink session={session} /> : <code>{toKey(session)}</code>}
        </Fact>
      )}
      {undoes !== null && (
        <Fact label="Undoes">
          <Link to="/history" search={{ operation: undoes }}>
            <code>{undoes}</code>
          </Link>
        </Fact>
      )}
      {undoneBy !== undefined && (
        <Fact label="Undone by">
          <Link to="/history" search={{ operation: undoneBy }}>
            <code>{undoneBy}</code>
          </Link>
        </Fact>
      )}
      <Fact label="Backup">
        {backup.until === null
          ? backup.path === null
            ? "Nothing was there before, so nothing needed one"
            : "A copy of the program's list of sessions as it was"
          : `${plural(backup.files, "file", "files")}, ${bytes(backup.bytes)}`}
      </Fact>
      {backup.path !== null && (
        <Fact label="Kept in">
          <code>{backup.path}</code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function SessionLink({ session }: { readonly session: Write["session"] }) {
  const key = toKey(session);
  return (
    <Link to="/s/$key" params={{ key }}>
      <code>{key}</code>
    </Link>
  );
}

function Confirm({ operation }: { readonly operation: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.confirm(operation),
    onSuccess: () => {
      toast({ text: "Confirmed: the backup may go when its time is over" });
      void queryClient.invalidateQueries({ queryKey: ["history"] });
    },
    onError: (error) => toast({ text: describe(error).message, isError: true }),
  });
  return (
    <Button size="small" disabled={isPending} onClick={() => mutate()}>
      Confirm that it is good
    </Button>
  );
}
