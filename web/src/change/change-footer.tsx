/** The buttons of a change: applied is exactly the plan that is shown. */
import { useEffect } from "react";
import { Button } from "../ui/button.tsx";
import css from "./change.module.css";
import { BRIEFING } from "./choices.ts";
import { KINDS } from "./kinds.ts";
import type { Change } from "./use-change.ts";

export function ChangeFooter({
  change,
  apply: id,
  onClose,
}: {
  readonly change: Change;
  readonly apply: string;
  readonly onClose?: () => void;
}) {
  const { request, phase, canApply, apply, planning, choices } = change;
  const { verb, isDanger } = KINDS[request.kind];
  // A briefing is there at once, and writes nothing.
  const isOver =
    phase.name === "done" ||
    phase.name === "waiting" ||
    (request.kind === "handoff" && choices.target === BRIEFING);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.isComposing) return;
      event.preventDefault();
      void apply();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [apply]);
  if (isOver) return onClose ? <Button onClick={onClose}>Done</Button> : null;
  const fingerprint = planning.planned?.plan.fingerprint;
  return (
    <>
      <p className={css.promise}>
        {fingerprint !== undefined && (
          <>
            Applies exactly this plan <code>{fingerprint.slice(0, 8)}</code>, and can be undone.
          </>
        )}
      </p>
      {onClose && <Button onClick={onClose}>Cancel</Button>}
      <Button
        id={id}
        tone={isDanger ? "danger" : "primary"}
        keys="mod+enter"
        aria-disabled={!canApply}
        data-waits={!canApply || undefined}
        className={css.apply}
        onClick={() => void apply()}
      >
        {phase.name === "applying" ? "Writing…" : verb}
      </Button>
    </>
  );
}
