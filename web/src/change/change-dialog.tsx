/** The dialog of every change: what to choose, what will happen, and then what was done. */

import { useQuery } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { api, keys } from "../lib/api.ts";
import { fromKey } from "../lib/session-key.ts";
import { clean } from "../text/clean.ts";
import { Dialog } from "../ui/dialog.tsx";
import { SourceMark } from "../ui/marks.tsx";
import { Time } from "../ui/time.tsx";
import css from "./change.module.css";
import { type ChangeRequest, closeChange } from "./change.ts";
import { ChangeBody } from "./change-body.tsx";
import { ChangeFooter } from "./change-footer.tsx";
import { headingOf } from "./kinds.ts";
import { type Change, useChange } from "./use-change.ts";
import { WRITE_KINDS } from "./writes.ts";

/** Another request is another dialog, as when a result is undone. */
export function ChangeDialog({ request }: { readonly request: ChangeRequest }) {
  const known = useRef<{ request: ChangeRequest; number: number }>({ request, number: 0 });
  if (known.current.request !== request) known.current = { request, number: known.current.number + 1 };
  return <OneChange key={known.current.number} request={request} />;
}

function OneChange({ request }: { readonly request: ChangeRequest }) {
  const change = useChange(request);
  const apply = useId();
  const body = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      title={headingOf(request.kind, request.sessions.length)}
      description={<About change={change} />}
      size="large"
      isBare
      onClose={closeChange}
      initialFocus={() => firstField(body.current) ?? document.getElementById(apply)}
      footer={<ChangeFooter change={change} apply={apply} onClose={closeChange} />}
    >
      <div ref={body} className={css.body}>
        <ChangeBody change={change} apply={apply} />
      </div>
    </Dialog>
  );
}

const firstField = (within: HTMLElement | null): HTMLElement | null =>
  within?.querySelector<HTMLElement>('input:not([hidden]), select, [role="listbox"]') ?? null;

/** Which session it is about. */
export function About({ change: { request, facts } }: { readonly change: Change }) {
  const { sessions, input = {} } = request;
  const title = clean(facts?.session.title ?? request.title ?? sessions[0] ?? "");
  if (sessions.length > 1 || request.kind === "rescue-all")
    return <>As one write, which is undone as a whole</>;
  const [session] = sessions;
  if (session === undefined)
    return typeof input.operation === "string" ? <AboutWrite operation={input.operation} /> : null;
  return (
    <span className={css.about}>
      <SourceMark source={facts?.session.source ?? fromKey(session).source} />
      <span className="ellipsis" title={title}>
        {title}
      </span>
    </span>
  );
}

/** Which write is undone, in the words of the history. */
function AboutWrite({ operation }: { readonly operation: string }) {
  const { data } = useQuery({ queryKey: keys.history, queryFn: ({ signal }) => api.history({ signal }) });
  const write = data?.writes.find((each) => each.operation === operation);
  return (
    <span className={css.about}>
      {write && (
        <>
          {WRITE_KINDS[write.kind].done} <SourceMark source={write.from.source} />
          <span className="ellipsis">{clean(write.title) || write.from.id}</span>
          <span>
            · <Time at={write.at} />
          </span>
        </>
      )}
      <code>{operation}</code>
    </span>
  );
}
