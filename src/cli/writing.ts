/** Shared by all writing commands: shows the plan, asks for confirmation, applies it, and prints the result. */
import type { App, KeptPlan, VendorRows } from "../app/contract.ts";
import { AppError } from "../model/errors.ts";
import { apply, previewVendorRows, toOutcomeJson, unwritten } from "../operations/changes/apply.ts";
import type { Described, Operation, Schema } from "../operations/operation.ts";
import type { ArgSpecs } from "./args.ts";
import type { Output } from "./output.ts";
import { printCheckpoint } from "./print/answers/checkpoints.ts";
import { printDone, printPlan } from "./print/changes/plan.ts";
import { vendorRowLines } from "./print/changes/vendor-rows.ts";
import { checkWaiting, pinned, startJob, unlessRunning, writeWhenClosed } from "./when-closed.ts";

export const DRY_RUN_ARG = {
  dryRun: { kind: "flag", help: "show what would be written, and write nothing" },
} as const satisfies ArgSpecs;

/** For commands that write where an agent's program may be writing, too. */
export const IGNORE_LOCK_ARG = {
  ignoreLock: {
    kind: "flag",
    help: "write even though the agent's program seems to have the session open; only for stale locks, because a running program may overwrite the change",
  },
} as const satisfies ArgSpecs;

/** For commands that write summaries. */
export const WITH_ARG = {
  with: {
    kind: "text",
    value: "command",
    help: "what writes the summary: copilot or claude (your own Copilot CLI or Claude Code; one model request, and no session is left behind), or a shell command that reads the request on stdin and prints the summary; keys and passwords are removed first",
  },
} as const satisfies ArgSpecs;

export const AGREED_ARGS = {
  ...DRY_RUN_ARG,
  yes: { kind: "flag", short: "y", help: "do not ask for confirmation" },
} as const satisfies ArgSpecs;

/** For commands that add sessions to those that are there. */
export const ADDING_ARGS = { ...DRY_RUN_ARG, ...IGNORE_LOCK_ARG } as const satisfies ArgSpecs;

/** For commands that change or remove what is there. */
export const CHANGING_ARGS = { ...AGREED_ARGS, ...IGNORE_LOCK_ARG } as const satisfies ArgSpecs;

/** Checks for a terminal before a model request is spent on a summary that could not be confirmed. */
export function expectAgreement(args: {
  readonly with: string | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
}): void {
  if (args.with !== undefined && !args.dryRun && !args.yes) expectSomebody();
}

interface WritingArgs {
  readonly dryRun: boolean;
  /** Missing for commands that leave what is there alone: they act at once. */
  readonly yes?: boolean;
  readonly ignoreLock?: boolean;
  /** For commands that VS Code may block. */
  readonly whenClosed?: boolean;
  readonly background?: boolean;
  readonly json: boolean;
}

/** Prints what would be done, and asks for confirmation. */
export async function isAgreed(
  { json }: Pick<WritingArgs, "json">,
  out: Output,
  lines: () => Promise<readonly string[]>,
  what = "an existing session",
): Promise<boolean> {
  if (!json) for (const line of await lines()) out.drawn(line);
  if (await askForYes("Proceed?", what)) return true;
  out.note("Nothing was changed.");
  return false;
}

/** Plans a change and, unless it is a dry run or not confirmed, applies it. */
export async function runWriting<I extends Schema>(
  args: WritingArgs,
  openApp: () => Promise<App>,
  out: Output,
  change: Operation<I, Schema, KeptPlan>,
  input: Described<I>,
): Promise<number> {
  checkWaiting(args);
  const app = await openApp();
  const edit = await app.edit();
  try {
    // All calls share one editor, so that what the plan is made from is let go of with it.
    return await planAndApply(args, { ...app, edit: async () => edit }, out, change, input);
  } finally {
    edit.close();
  }
}

async function planAndApply<I extends Schema>(
  args: WritingArgs,
  app: App,
  out: Output,
  change: Operation<I, Schema, KeptPlan>,
  input: Described<I>,
): Promise<number> {
  const page = { columns: out.columns, style: out.style, isDemo: app.demo !== undefined };
  const draw = (wanted: Described<I>): Promise<KeptPlan> =>
    out.progress("Reading the session", (call) =>
      change.run(app, Object.assign({}, wanted, args.ignoreLock && { ignoreLock: true }), call),
    );
  // Where even reading has to wait, there is nothing to show yet.
  const plan = args.whenClosed ? await draw(input).catch(unlessRunning) : await draw(input);
  const planLines = (made: KeptPlan, ownRows: readonly VendorRows[]): string[] => [
    ...printPlan(made, page),
    ...vendorRowLines(ownRows, "planned", page),
  ];
  /** The whole summary that would be written, so that it can be read first. */
  const summaryLines = (made: KeptPlan): string[] =>
    made.checkpoint ? ["", ...printCheckpoint(made.checkpoint, page)] : [];
  const printUnwritten = async (made: KeptPlan): Promise<number> => {
    const ownRows =
      made.steps.length === 0 ? [] : await previewVendorRows.run(app, { fingerprint: made.fingerprint });
    if (args.json) out.json(toOutcomeJson(unwritten(made, ownRows), app));
    else for (const line of [...planLines(made, ownRows), ...summaryLines(made)]) out.line(line);
    // Who asked for lines to be written, and none can be, has not got what was asked for.
    return made.kind === "improve" && made.steps.length === 0 && made.losses.length > 0 ? 1 : 0;
  };
  // Where there is nothing to do, there is nothing to agree to.
  if (plan && (args.dryRun || plan.steps.length === 0)) return printUnwritten(plan);
  const wanted = pinned(input as Readonly<Record<string, unknown>>, plan);
  if (args.background) return startJob(app, out, args, [{ operation: change.name, input: wanted }]);
  const agree = async (made: KeptPlan): Promise<boolean> =>
    args.yes !== false ||
    isAgreed(args, out, async () =>
      planLines(made, await previewVendorRows.run(app, { fingerprint: made.fingerprint })),
    );
  if (plan && !(await agree(plan))) return 1;
  const { plan: made, write } =
    plan && !args.whenClosed
      ? { plan, write: await apply.run(app, { fingerprint: plan.fingerprint }) }
      : await writeWhenClosed(
          app,
          out,
          plan,
          () => draw(wanted as Described<I>),
          async (next, isChanged) => (plan && !isChanged) || agree(next),
        );
  if (!write) return made.steps.length === 0 ? printUnwritten(made) : 1;
  for (const notice of write.notices) out.note(notice);
  if (args.json) out.json(apply.toJson(write, app));
  else
    for (const line of printDone(write.operation, made, page, vendorRowLines(write.ownRows, "done", page)))
      out.line(line);
  return 0;
}

/** Throws when there is no terminal to ask at. */
function expectSomebody(what = "what is there"): void {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new AppError(
      "needs-yes",
      `This changes ${what}, and nobody is at the terminal to confirm it`,
      "Add --yes to proceed, or --dry-run to see what would be done",
    );
}

/** False for anything but yes. Throws when there is no terminal to ask at. */
async function askForYes(question: string, what: string): Promise<boolean> {
  expectSomebody(what);
  const { askAfterReading } = await import("./asking.ts");
  return /^y(es)?$/i.test(await askAfterReading(`${question} [y/N] `));
}
