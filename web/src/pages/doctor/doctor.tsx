/** Everything that is wrong with sessions: what it means, where it is, and its repair. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bandage, HeartPulse, RotateCw } from "lucide-react";
import { useMemo, useState } from "react";
import { amount, plural } from "../../../../src/present/text/measure.ts";
import { openChange } from "../../change/change.ts";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { keys } from "../../lib/api.ts";
import { useStore } from "../../lib/store.ts";
import { askDiagnosis, type Examination, examination } from "../../live/examination.ts";
import { doctorRoute } from "../../router.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Skeleton, useSlow } from "../../ui/states.tsx";
import css from "./doctor.module.css";
import {
  type Diagnosis,
  type Finding,
  repairable,
  SEVERITIES,
  SEVERITY_WORDS,
  type Severity,
} from "./findings.ts";
import { KindList, PatientList } from "./lists.tsx";

type View = "session" | "kind";

export function Doctor() {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: keys.problems,
    queryFn: ({ signal }) => askDiagnosis(signal),
  });
  const under = useStore(examination);
  const isSlow = useSlow(isFetching);
  const { source, code } = doctorRoute.useSearch();
  const isNarrowed = source !== undefined || code !== undefined;
  // What was found the last time stays until all of it is known anew.
  const all = data?.problems ?? (under && under.problems.length > 0 ? under.problems : undefined);
  const shown = useMemo(
    () =>
      (all ?? []).filter(
        (each) =>
          (source === undefined || each.source === source) && (code === undefined || each.code === code),
      ),
    [all, code, source],
  );
  const repair = repairable(data ? shown : []);
  const repairAll = (): void => {
    if (repair.count === 0) return;
    const [only, ...more] = repair.sessions;
    if (repair.source === "" && only !== undefined && more.length === 0)
      openChange({ kind: "rescue", sessions: [only] });
    else openChange({ kind: "rescue-all", sessions: repair.sessions, input: { source: repair.source } });
  };
  useShortcuts([
    { keys: "shift+r", label: "Repair all", group: "Doctor", run: repairAll },
    { keys: "j", label: "Next problem", group: "Doctor", isKeyOnly: true, run: () => move(1) },
    { keys: "k", label: "Previous problem", group: "Doctor", isKeyOnly: true, run: () => move(-1) },
  ]);
  return (
    <Page
      title="Doctor"
      facts={data && summaryOf(data)}
      actions={
        <>
          <Button icon={<RotateCw />} disabled={isFetching} onClick={() => void refetch()}>
            {isFetching ? "Looking…" : "Look again"}
          </Button>
          {repair.count > 0 && (
            <Button tone="primary" icon={<Bandage />} keys="shift+r" onClick={repairAll}>
              Repair all…
            </Button>
          )}
        </>
      }
    >
      {isSlow && under && <Examining {...under} isAgain={data !== undefined} />}
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !all ? (
        <Skeleton rows={6} height={64} />
      ) : all.length === 0 ? (
        <Empty title="Nothing is wrong" icon={<HeartPulse className={css.well} />}>
          Every session can be read, its program lists it, and its folder is there.
        </Empty>
      ) : (
        <Findings findings={shown} isNarrowed={isNarrowed} />
      )}
    </Page>
  );
}

/** Every session is read for this, which takes a while where there are thousands. */
function Examining({
  done,
  total,
  problems,
  isAgain,
}: Examination & {
  /** What is shown below is from the time before. */
  readonly isAgain: boolean;
}) {
  const isRead = total > 0 && done >= total;
  return (
    <div className={css.examining} role="status">
      <p>
        {total === 0
          ? "Looking for sessions…"
          : isRead
            ? `All ${plural(total, "session", "sessions")} read; looking at what lies around them…`
            : `${amount(done)} of ${plural(total, "session", "sessions")} read`}
        {!isAgain && total > 0 && (
          <span>
            {problems.length === 0
              ? "nothing found so far"
              : `${plural(problems.length, "problem", "problems")} so far`}
          </span>
        )}
      </p>
      <progress aria-label="Sessions read" {...(total > 0 && !isRead ? { value: done, max: total } : {})} />
      <small>Leaving this page stops it. Looking changes nothing.</small>
    </div>
  );
}

function Findings({
  findings,
  isNarrowed,
}: {
  readonly findings: readonly Finding[];
  readonly isNarrowed: boolean;
}) {
  const navigate = useNavigate();
  const [view, setView] = useState<View>("session");
  const [only, setOnly] = useState<Severity>();
  const counts = Map.groupBy(findings, ({ severity }) => severity);
  const shown = only === undefined ? findings : findings.filter(({ severity }) => severity === only);
  return (
    <>
      <div className={css.bar}>
        <fieldset className={css.segments} aria-label="Severity">
          <Segment isOn={only === undefined} onClick={() => setOnly(undefined)}>
            All {amount(findings.length)}
          </Segment>
          {SEVERITIES.filter((severity) => counts.has(severity)).map((severity) => (
            <Segment
              key={severity}
              isOn={only === severity}
              title={SEVERITY_WORDS[severity].means}
              onClick={() => setOnly(severity)}
            >
              <i className={css.dot} data-severity={severity} />
              {SEVERITY_WORDS[severity].label} {amount(counts.get(severity)?.length ?? 0)}
            </Segment>
          ))}
        </fieldset>
        {isNarrowed && (
          <Button size="small" onClick={() => void navigate({ to: "/doctor" })}>
            Show all problems
          </Button>
        )}
        <fieldset className={css.segments} aria-label="Group by">
          <Segment isOn={view === "session"} onClick={() => setView("session")}>
            By session
          </Segment>
          <Segment isOn={view === "kind"} onClick={() => setView("kind")}>
            By kind
          </Segment>
        </fieldset>
      </div>
      {shown.length === 0 ? (
        <Empty title="No such problem">What you look for may be repaired already.</Empty>
      ) : view === "session" ? (
        <PatientList findings={shown} />
      ) : (
        <KindList findings={shown} />
      )}
    </>
  );
}

function Segment({
  isOn,
  ...rest
}: { readonly isOn: boolean } & React.ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" aria-pressed={isOn} className={css.segment} {...rest} />;
}

function summaryOf({ problems, sessionCount }: Diagnosis): string {
  const read = `${plural(sessionCount, "session", "sessions")} read`;
  return problems.length === 0 ? read : `${plural(problems.length, "problem", "problems")} · ${read}`;
}

function move(by: number): void {
  const stops = [...document.querySelectorAll<HTMLElement>("[data-finding]")];
  const at = stops.findIndex((each) => each.contains(document.activeElement));
  stops[at < 0 ? 0 : Math.min(stops.length - 1, Math.max(0, at + by))]?.focus();
}
