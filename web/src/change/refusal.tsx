/** Why a change was refused, and what can be done about it. */
import { CircleAlert, Download, Hourglass, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { plural } from "../../../src/present/text/measure.ts";
import { api } from "../lib/api.ts";
import { fromKey } from "../lib/session-key.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { CheckField } from "../ui/field.tsx";
import { describe } from "../ui/states.tsx";
import { adviceOf } from "./advice.ts";
import css from "./change.module.css";
import { toReduction } from "./choices.ts";
import { RemedyButton } from "./next-step.tsx";
import type { RemedyData } from "./remedies.ts";
import { toTokens } from "./remedy-way.ts";
import type { Change } from "./use-change.ts";

/** Something has it open: to wait, or to try again, may help. */
const BUSY: ReadonlySet<string> = new Set([
  "vscode-running",
  "agent-running",
  "session-busy",
  "write-busy",
  "store-busy",
]);
/** The plan that was shown does not hold any more; there is a new one. */
const OUTDATED: ReadonlySet<string> = new Set(["session-changed", "plan-not-found"]);

/** The words are a contract with those who look for them. */
const VSCODE_RUNS = "Cannot clone while VS Code is running. Please close VS Code and try again.";

export function Refusal({
  change,
  error,
  retry,
  isAfterApply = false,
}: {
  readonly change: Change;
  readonly error: unknown;
  readonly retry: () => void;
  /** It was tried; otherwise there is no plan at all. */
  readonly isAfterApply?: boolean;
}) {
  const { message, code } = describe(error);
  const { words, remedy } = adviceOf(error);
  if (isAfterApply && OUTDATED.has(code))
    return (
      <Notice
        title={
          code === "plan-not-found"
            ? "The plan had expired, so nothing was written"
            : "Something changed since this plan was made, so nothing was written"
        }
      >
        <p>This is the new plan. Look at it again, and apply it if it is what you want.</p>
      </Notice>
    );
  const { request } = change;
  const isVsCode = code === "vscode-running";
  return (
    <Notice title={isVsCode && request.kind === "clone" ? VSCODE_RUNS : message} isBad>
      {isVsCode && request.kind === "clone" ? <p>{message}.</p> : words !== "" && <p>{words}.</p>}
      <div className={css.actions}>
        {(BUSY.has(code) || isAfterApply) && (
          // A plan is used up by an attempt; until there is a new one, there is nothing to try.
          <Button
            size="small"
            icon={<RotateCw />}
            aria-disabled={isAfterApply && !change.canApply}
            onClick={retry}
          >
            Try again
          </Button>
        )}
        {isVsCode && change.applyLater && (
          <Button size="small" icon={<Hourglass />} onClick={() => void change.applyLater?.()}>
            Do it when VS Code closes
          </Button>
        )}
        {BUSY.has(code) && <DownloadInstead change={change} />}
        {remedy && !BUSY.has(code) && <Remedied change={change} remedy={remedy} />}
      </div>
      {(code === "session-busy" || code === "agent-running") && (
        <CheckField
          label="The lock is left over: write anyway"
          hint="Only where no program has the session open; a running one may overwrite the change"
          isChecked={change.choices.ignoreLock}
          onCheck={(ignoreLock) => change.choose({ ignoreLock })}
        />
      )}
      <code className={css.code}>{code}</code>
    </Notice>
  );
}

/** What is about this very change is chosen in its form, where everything else stays as it is. */
function Remedied({ change, remedy }: { readonly change: Change; readonly remedy: RemedyData }) {
  const { request, choose } = change;
  const [session] = request.sessions;
  const budget = toTokens(String(remedy.args?.budget ?? ""));
  if (remedy.action !== request.kind || budget === undefined || (remedy.session ?? session) !== session)
    return <RemedyButton remedy={remedy} around={session} />;
  return (
    <Button size="small" onClick={() => choose({ budget })}>
      Allow {plural(budget, "token", "tokens")}
    </Button>
  );
}

/** The same copy as a file, which its program can import. */
export function DownloadInstead({ change: { request, choices, facts } }: { readonly change: Change }) {
  const [session] = request.sessions;
  if (request.kind !== "clone" || session === undefined) return null;
  const source = facts?.session.source ?? fromKey(session).source;
  const { tools, dropOldest, ...reduction } = toReduction(choices);
  const url = api.exportUrl(session, {
    format: source === "vscode" ? "vscode" : "copilot",
    ...reduction,
    ...(tools === "drop" && { dropTools: true }),
    ...(typeof tools === "object" && "oldest" in tools && { dropOldestTools: tools.oldest }),
    ...(typeof tools === "object" && "truncate" in tools && { truncateTools: tools.truncate }),
    ...(dropOldest && "percent" in dropOldest && { dropOldest: dropOldest.percent }),
    ...(dropOldest && "count" in dropOldest && { dropOldestTurns: dropOldest.count }),
  });
  return (
    <a className={buttonClass({ size: "small" })} href={url} download>
      <Download aria-hidden="true" />
      Download instead
    </a>
  );
}

export function Notice({
  title,
  isBad = false,
  children,
}: {
  readonly title: string;
  readonly isBad?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <section className={css.notice} data-bad={isBad || undefined} role="alert">
      <h3>
        <CircleAlert aria-hidden="true" />
        {title}
      </h3>
      {children}
    </section>
  );
}
