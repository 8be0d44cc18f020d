/** Left the choices, right what will happen; then what was done. */
import type { KeyboardEvent } from "react";
import { Skeleton, useSlow } from "../ui/states.tsx";
import { BlockedHint } from "./blocked-hint.tsx";
import { Briefing } from "./briefing.tsx";
import css from "./change.module.css";
import { BRIEFING } from "./choices.ts";
import { ChangeForm } from "./forms/change-form.tsx";
import { PlanView } from "./plan/plan-view.tsx";
import { Refusal } from "./refusal.tsx";
import { Result, Waiting } from "./result.tsx";
import type { Change } from "./use-change.ts";

export function ChangeBody({ change, apply }: { readonly change: Change; readonly apply: string }) {
  const { phase } = change;
  if (phase.name === "done") return <Result change={change} written={phase.written} />;
  if (phase.name === "waiting") return <Waiting job={phase.job} />;
  /** Enter in a field goes on to the button: nothing is written by accident. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPlainEnter = event.key === "Enter" && !event.metaKey && !event.ctrlKey && !event.defaultPrevented;
    if (!isPlainEnter || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    document.getElementById(apply)?.focus();
  };
  return (
    <div className={css.panes}>
      <form
        className={css.choices}
        aria-label="Choices"
        onKeyDown={onKeyDown}
        onSubmit={(e) => e.preventDefault()}
      >
        <ChangeForm change={change} />
      </form>
      <section className={css.outcome} aria-label="What will happen">
        <Outcome change={change} />
      </section>
    </div>
  );
}

function Outcome({ change }: { readonly change: Change }) {
  const { planning, refusal, request, choices, apply, phase } = change;
  const { planned, error, isWaiting, missing, again } = planning;
  const isSlow = useSlow(isWaiting && phase.name === "choosing");
  if (request.kind === "handoff" && choices.target === BRIEFING) return <Briefing change={change} />;
  if (missing !== undefined) return <p className={css.muted}>{missing}</p>;
  return (
    <div aria-busy={isWaiting} data-stale={isWaiting || undefined} className={css.stale}>
      <h2 className={css.heading}>
        What will happen
        <span role="status">{isSlow && planned ? "Planning…" : ""}</span>
      </h2>
      {refusal && <Refusal change={change} error={refusal} isAfterApply retry={() => void apply()} />}
      {error !== undefined && !isWaiting && !refusal && (
        <Refusal change={change} error={error} retry={again} />
      )}
      {planned ? (
        <>
          <BlockedHint change={change} />
          <PlanView kind={request.kind} plan={planned.plan} leftOut={planned.leftOut} choices={choices} />
        </>
      ) : (
        isWaiting && <Skeleton rows={5} height={40} />
      )}
    </div>
  );
}
