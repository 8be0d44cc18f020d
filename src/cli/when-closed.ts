/** `--when-closed` and `--background`: writes that wait until VS Code has ended. */
import type { App, EditWrite, Job, KeptPlan } from "../app/contract.ts";
import { lookAgain } from "../app/jobs/look-again.ts";
import { AppError } from "../model/errors.ts";
import type { EditPlan } from "../model/plan.ts";
import { formatKey } from "../model/values/id.ts";
import { jobShape, jobStart, toJobJson } from "../operations/changes/jobs.ts";
import { describeBlockers } from "../operations/changes/run-job.ts";
import { applyWhenClosed } from "../operations/changes/when-closed.ts";
import { commandText } from "../present/text/command-text.ts";
import type { ArgSpecs } from "./args.ts";
import type { JsonShape } from "./command.ts";
import { interruptible } from "./interrupt.ts";
import type { Output } from "./output.ts";
import { printPlan } from "./print/changes/plan.ts";

export const WHEN_CLOSED_ARGS = {
  whenClosed: {
    kind: "flag",
    help: "if VS Code is running, wait until it has ended, then plan anew and write; Ctrl-C ends the wait, and nothing is written",
  },
  background: {
    kind: "flag",
    help: "with --when-closed: return at once and wait in the background; `history` shows the job, and `undo <job>` cancels it",
  },
} as const satisfies ArgSpecs;

/** What `--background` prints. */
export const JOB_SHAPE: JsonShape = { when: "with `--background`", schema: jobShape };

export interface WaitingArgs {
  readonly whenClosed?: boolean;
  readonly background?: boolean;
  readonly yes?: boolean;
  readonly dryRun: boolean;
  readonly ignoreLock?: boolean;
  readonly json: boolean;
}

/** Refuses what makes no sense together, before anything is read. */
export function checkWaiting(args: WaitingArgs): void {
  const { whenClosed = false, background = false, dryRun, ignoreLock = false, yes } = args;
  if (background && !whenClosed)
    throw new AppError("usage", "--background belongs to --when-closed", "Add --when-closed");
  if (whenClosed && ignoreLock)
    throw new AppError("usage", "--when-closed and --ignore-lock cannot be combined", "Use only one of them");
  if (background && !dryRun && yes === false)
    throw new AppError(
      "needs-yes",
      "This changes an existing session, and nobody can be asked in the background",
      "Add --yes to proceed, or --dry-run to see what would be done",
    );
}

/** For plans that cannot be made while VS Code writes to its own list. */
export function unlessRunning(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === "vscode-running")) throw error;
}

/** In the foreground. Nothing where the user did not agree to a plan that has changed during the wait. */
export function writeWhenClosed(
  app: App,
  out: Output,
  first: KeptPlan | undefined,
  plan: () => Promise<KeptPlan>,
  agree: (plan: KeptPlan, isChanged: boolean) => Promise<boolean>,
  lookAgainMs?: number,
): Promise<{ readonly plan: KeptPlan; readonly write?: EditWrite }> {
  return interruptible(async ({ signal }) => {
    const { plan: made, write } = await applyWhenClosed(app, first, {
      plan,
      onWait: (found) =>
        out.note(
          `Waiting until ${describeBlockers(found)} has ended: close all its windows. Ctrl-C ends the wait; nothing is written before.`,
        ),
      async pause() {
        await lookAgain(signal, lookAgainMs);
        if (signal.aborted)
          throw new AppError("aborted", "The wait was ended; nothing was written", "Run the command again");
      },
      begin: (next, hasWaited) => agree(next, hasWaited && first !== undefined && !isSame(first, next, out)),
    });
    return { plan: made, ...(write && { write }) };
  });
}

/** Whether the user has seen this very plan, but for ids that are made anew each time. */
function isSame(one: EditPlan, other: EditPlan, { columns, style }: Output): boolean {
  const [a, b] = [one, other].map((plan) =>
    printPlan(plan, { columns, style, isDemo: false })
      .join("\n")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "")
      .replaceAll(/\d+(\.\d+)? [kMG]?B/g, ""),
  );
  return a === b;
}

/** What was meant now is meant later, too: the session by its id, not by a title that another may have then. */
export function pinned(input: Readonly<Record<string, unknown>>, plan: EditPlan | undefined) {
  if (!plan) return input;
  if (plan.undoes !== undefined) return { ...input, operation: plan.undoes };
  if (Array.isArray(input.sessions))
    return { ...input, sessions: (plan.move?.sessions ?? plan.named ?? [plan.from]).map(formatKey) };
  return typeof input.session === "string" ? { ...input, session: formatKey(plan.from) } : input;
}

export async function startJob(
  app: App,
  out: Output,
  args: Pick<WaitingArgs, "json">,
  changes: readonly { readonly operation: string; readonly input: Readonly<Record<string, unknown>> }[],
): Promise<number> {
  if (changes.some(({ input }) => input.with !== undefined))
    throw new AppError(
      "usage",
      "--with cannot be combined with --background",
      "Leave one of them out: nobody would see what the command writes",
    );
  const job = await jobStart.run(app, { changes: changes as never, command: out.commandLine });
  if (args.json) out.json(toJobJson(job));
  else for (const line of printStarted(job, out, app.demo !== undefined)) out.line(line);
  return 0;
}

const printStarted = ({ id }: Job, { style }: Output, isDemo: boolean): string[] => [
  `Started ${id}: it writes as soon as VS Code has ended`,
  `  ${style.dim("see it".padEnd(8))}  ${style.cyan(commandText(["history"], isDemo))}`,
  `  ${style.dim("cancel".padEnd(8))}  ${style.cyan(commandText(["undo", id], isDemo))}`,
];
