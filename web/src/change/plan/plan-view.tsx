/** What a plan will do: in words, in numbers, file by file, and what is lost by it. */

import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { fidelityWords } from "../../../../src/present/text/fidelity.ts";
import { amount, plural } from "../../../../src/present/text/measure.ts";
import { clean } from "../../text/clean.ts";
import type { ChangeKind } from "../change.ts";
import type { Choices } from "../choices.ts";
import { SIZED } from "../kinds.ts";
import type { LeftOut, Plan } from "../plans.ts";
import css from "./plan.module.css";
import { LedgerTable, SizeChange } from "./size-change.tsx";
import { Steps } from "./steps.tsx";
import { describeNothing, describePlan } from "./words.ts";

export function PlanView({
  kind,
  plan,
  choices,
  leftOut = [],
}: {
  readonly kind: ChangeKind;
  readonly plan: Plan;
  readonly choices: Choices;
  readonly leftOut?: readonly LeftOut[];
}) {
  if (plan.plan.steps.length === 0)
    return (
      <div className={css.plan}>
        <p className={css.nothing}>
          <CircleCheck aria-hidden="true" />
          <span>
            <strong>Nothing to do.</strong> {describeNothing(kind, plan)}
          </span>
        </p>
        <Lost title="Not repaired" lines={plan.losses} />
      </div>
    );
  return (
    <div className={css.plan}>
      <p className={css.words}>{clean(describePlan(kind, plan, choices))}</p>
      {plan.alreadyFits && (
        <p className={css.note}>The session already fits the budget: nothing needs to be left out.</p>
      )}
      {plan.stats && SIZED.has(kind) && <SizeChange stats={plan.stats} />}
      {plan.ledger && <LedgerTable ledger={plan.ledger} />}
      <Fidelity plan={plan} />
      <Repairs plan={plan} />
      <Moves plan={plan} />
      <WorkspaceFiles plan={plan} />
      {plan.checkpoint && (
        <details className={css.more}>
          <summary>The summary: {clean(plan.checkpoint.title)}</summary>
          <pre className={css.summary}>{clean(plan.checkpoint.summary)}</pre>
        </details>
      )}
      <Named plan={plan} />
      <Lost title="What is lost" lines={plan.losses} />
      <Lost
        title="Left out"
        lines={leftOut.map(
          ({ session, error }) => `${session}: ${error instanceof Error ? error.message : ""}`,
        )}
      />
      <Lost title="What may go wrong" lines={plan.risks} isRisk />
      <Steps steps={plan.plan.steps} />
    </div>
  );
}

function Block({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <section className={css.block}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Lost({
  title,
  lines,
  isRisk = false,
}: {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isRisk?: boolean;
}) {
  if (lines.length === 0) return null;
  return (
    <section className={css.lost} data-risk={isRisk || undefined}>
      <h3>
        <TriangleAlert aria-hidden="true" />
        {title}
      </h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{clean(line)}</li>
        ))}
      </ul>
    </section>
  );
}

/** So many are listed. */
const NAMED = 8;

function Rest({ count }: { readonly count: number }) {
  return count > 0 ? <li className={css.rest}>and {amount(count)} more</li> : null;
}

function Named({ plan: { sessions = [] } }: { readonly plan: Plan }) {
  if (sessions.length < 2) return null;
  return (
    <Block title={plural(sessions.length, "session", "sessions")}>
      <ul className={css.lines}>
        {sessions.slice(0, NAMED).map(({ source, id, title }) => (
          <li key={`${source}:${id}`} className="ellipsis">
            {clean(title) || id}
          </li>
        ))}
        <Rest count={sessions.length - NAMED} />
      </ul>
    </Block>
  );
}

/** What the other program gets, and in which form. */
function Fidelity({ plan: { fidelity } }: { readonly plan: Plan }) {
  if (!fidelity) return null;
  return (
    <>
      <Block title="What the other program gets">
        <ul className={css.lines}>
          {fidelityWords(fidelity).map(({ form, words }) => (
            <li key={form}>
              <span className={css.place}>{form}</span>
              {words}
            </li>
          ))}
        </ul>
      </Block>
      {fidelity.reasons.length > 0 && (
        <Block title="Why">
          <List lines={fidelity.reasons.map(clean)} />
        </Block>
      )}
    </>
  );
}

function Repairs({ plan: { repairs = [], adoptions = [] } }: { readonly plan: Plan }) {
  if (repairs.length + adoptions.length === 0) return null;
  const kinds = [...Map.groupBy(repairs, ({ what, lost }) => `${lost ? "cannot be kept: " : ""}${what}`)];
  return (
    <Block title="Repairs">
      <ul className={css.lines}>
        {kinds.slice(0, NAMED * 2).map(([what, all]) => {
          const lines = all.flatMap(({ line }) => (line === null ? [] : [line]));
          const more = lines.length > 3 ? ` and ${amount(lines.length - 3)} more` : "";
          return (
            <li key={what} data-lost={all[0]?.lost || undefined}>
              {lines.length > 0 && (
                <span className={css.place}>
                  {lines.length === 1 ? "line" : "lines"} {lines.slice(0, 3).join(", ")}
                  {more}
                </span>
              )}
              {what}
              {all.length > 1 && lines.length === 0 && (
                <span className={css.place}>×{amount(all.length)}</span>
              )}
            </li>
          );
        })}
        <Rest count={kinds.length - NAMED * 2} />
        {adoptions.map(({ from, to, sessionCount, why }) => (
          <li key={from}>
            {plural(sessionCount, "session", "sessions")} of {from}{" "}
            {to === null ? "stay as they are" : to === from ? "follow it" : `follow it to ${to}`}, because{" "}
            {why}
          </li>
        ))}
      </ul>
    </Block>
  );
}

function Moves({ plan: { move, paths } }: { readonly plan: Plan }) {
  const lines = [
    ...(move && move.toolCalls > 0
      ? [`${plural(move.toolCalls, "path", "paths")} in tool calls, which the model receives`]
      : []),
    ...(move && move.attachments > 0 ? [plural(move.attachments, "attachment", "attachments")] : []),
    ...(move && move.fileStates > 0
      ? [plural(move.fileStates, "recorded file state", "recorded file states")]
      : []),
    ...(move && move.others > 0 ? [plural(move.others, "path elsewhere", "paths elsewhere")] : []),
    ...(move && move.mentions > 0 && move.withText
      ? [plural(move.mentions, "mention in text", "mentions in text")]
      : []),
    ...(paths && paths.rewritten > 0
      ? [`${plural(paths.rewritten, "path leads", "paths lead")} to ${paths.to}`]
      : []),
  ];
  const kept = [
    ...(move && move.mentions > 0 && !move.withText
      ? [plural(move.mentions, "mention of the old folder in text", "mentions of the old folder in text")]
      : []),
    ...(paths && paths.kept > 0
      ? [`${plural(paths.kept, "path still leads", "paths still lead")} to ${paths.from}`]
      : []),
  ];
  if (lines.length + kept.length === 0 && move?.isHere !== false) return null;
  return (
    <>
      {move?.isHere === false && (
        <p className={css.note}>{move.to} is not on this machine; the path is used as it is.</p>
      )}
      {lines.length > 0 && (
        <Block title="Rewritten">
          <List lines={lines} />
        </Block>
      )}
      {kept.length > 0 && (
        <Block title="Not rewritten">
          <List lines={kept} />
        </Block>
      )}
    </>
  );
}

function List({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className={css.lines}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const SKIPPED = {
  "user-modified": "changed since, so it stays",
  "skipped-capture": "no earlier state was recorded, so it stays",
  "link-changed": "leads to another file now, so it stays",
} as const;

function WorkspaceFiles({ plan: { files = [], skippedFiles = [] } }: { readonly plan: Plan }) {
  if (files.length === 0) return null;
  const skipped = new Map(skippedFiles.map(({ path, reason }) => [path, SKIPPED[reason]]));
  const says = { restored: "restored", removed: "removed", unchanged: "stays as it is" } as const;
  return (
    <Block title="Files of the workspace">
      <ul className={css.files}>
        {files.slice(0, NAMED).map(({ path, becomes, linesAdded, linesRemoved }) => (
          <li key={path}>
            <code className={css.path} title={path}>
              <bdi>{path}</bdi>
            </code>
            <span className={css.place}>
              {skipped.get(path) ?? says[becomes]}
              {becomes !== "unchanged" && ` +${amount(linesRemoved)} −${amount(linesAdded)}`}
            </span>
          </li>
        ))}
        <Rest count={files.length - NAMED} />
      </ul>
    </Block>
  );
}
