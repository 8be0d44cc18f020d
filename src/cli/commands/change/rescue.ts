/** `rethread rescue`: repairs damaged sessions in place. */

import type { App, Call, EditWrite, KeptPlan, VendorRows } from "../../../app/contract.ts";
import { AppError } from "../../../model/errors.ts";
import type { EditPlan } from "../../../model/plan.ts";
import {
  apply,
  type Outcome,
  previewVendorRows,
  toOutcomeJson,
  unwritten,
  written,
} from "../../../operations/changes/apply.ts";
import { fork } from "../../../operations/changes/fork.ts";
import { jobStart } from "../../../operations/changes/jobs.ts";
import { planTogether } from "../../../operations/changes/plan-together.ts";
import { rescue, rescueAll } from "../../../operations/changes/rescue.ts";
import { blockers } from "../../../operations/changes/when-closed.ts";
import type { Zod } from "../../../operations/operation.ts";
import { remedy } from "../../../operations/schemas/problem.ts";
import { type Failure, toFailure } from "../../../present/failure.ts";
import { defineCommand } from "../../command.ts";
import { SESSIONS_HELP } from "../../filters.ts";
import { printDone, printPlan } from "../../print/changes/plan.ts";
import { soundLines } from "../../print/changes/rescue.ts";
import { vendorRowLines } from "../../print/changes/vendor-rows.ts";
import {
  checkWaiting,
  JOB_SHAPE,
  pinned,
  startJob,
  unlessRunning,
  WHEN_CLOSED_ARGS,
  writeWhenClosed,
} from "../../when-closed.ts";
import { CHANGING_ARGS, isAgreed } from "../../writing.ts";

export default defineCommand({
  name: "rescue",
  summary: "Repair damaged sessions in place, so that their own program can resume them",
  about:
    "In Copilot CLI, joined lines are split, torn and broken lines are completed or put together again, records that the program rejects are repaired, a missing session.start or workspace.yaml is created, and locks of dead processes are removed; records that the program dropped when it repaired a log itself are restored from the copy it left. Intact lines keep their bytes. In VS Code, torn, garbled and rejected chats are repaired, emptied chats are restored from the log's own history, the extension's transcript or an older file, and the list of chats is corrected to name exactly the chats that exist; with --vscode, chats of a folder that was created again at the same path, or renamed and is the only one with its git remote, follow it. In Claude Code, lines are repaired likewise, rows get back their ids, links, times and calls, and a conversation goes on behind rows that are lost; turns that were rewound stay left. The report names everything that could not be kept. A backup of the damaged original is kept, so it can be undone.",
  args: {
    sessions: {
      kind: "positional",
      session: true,
      rest: true,
      optional: true,
      help: `${SESSIONS_HELP} (default: all that \`doctor\` finds damaged)`,
    },
    all: { kind: "flag", help: "all sessions that `doctor` finds damaged" },
    vscode: {
      kind: "flag",
      help: "all chats of VS Code and its lists of chats, in one write; VS Code must be closed",
    },
    noAdopt: {
      kind: "flag",
      help: "with --vscode: leave chats alone whose folder was created again or renamed",
    },
    ...CHANGING_ARGS,
    ...WHEN_CLOSED_ARGS,
  },
  examples: [
    { command: "rethread rescue --dry-run", why: "see what is damaged, and what would be done" },
    { command: "rethread rescue 0b1c2d3e --yes", why: "repair one session without confirmation" },
    { command: "rethread rescue --vscode", why: "repair everything that VS Code lost, hides or cannot load" },
  ],
  operations: [rescue, rescueAll, planTogether, apply, previewVendorRows, blockers, jobStart],
  json: [
    {
      when: "when one session was named",
      schema: (z) => written(rescue.output)(z).extend(rescuedShape(z).shape),
      like: { command: "fork", schema: written(fork.output) },
    },
    { schema: rescuedShape },
    JOB_SHAPE,
  ],
  async run({ args, out, openApp }) {
    checkWaiting(args);
    const app = await openApp();
    const { ignoreLock } = args;
    const preview = ({ fingerprint }: KeptPlan) => previewVendorRows.run(app, { fingerprint });
    const page = { columns: out.columns, style: out.style, isDemo: app.demo !== undefined };
    if ((args.all || args.vscode) && args.sessions.length > 0)
      throw new AppError(
        "usage",
        `--${args.all ? "all" : "vscode"} cannot be combined with session names`,
        "Use only one of them",
      );
    if (args.noAdopt && !args.vscode)
      throw new AppError("usage", "--no-adopt belongs to --vscode", "Add --vscode");
    const names =
      args.sessions.length > 0 || args.vscode
        ? args.sessions
        : await out.progress("Examining sessions", (call) => app.damaged(call));
    const all = { source: "vscode", adopt: !args.noAdopt, ignoreLock };
    const targets: readonly Target[] = args.vscode
      ? [
          {
            session: "vscode",
            draw: (call) => rescueAll.run(app, all, call),
            change: { operation: rescueAll.name, input: all },
          },
        ]
      : names.map((session) => ({
          session,
          draw: (call) => rescue.run(app, { session, ignoreLock }, call),
          change: { operation: rescue.name, input: { session, ignoreLock } },
        }));
    const rescues: Outcome[] = [];
    const failures: ({ session: string } & Pick<Failure, "code" | "message" | "hint" | "remedy">)[] = [];
    /** One that cannot be repaired does not keep the others from it. */
    const attempt = async (session: string, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (targets.length === 1) throw error;
        const { code, message, hint, remedy } = toFailure(error, page.isDemo);
        failures.push({ session, code, message, hint, ...(remedy && { remedy }) });
      }
    };

    const planLines = (plan: EditPlan, ownRows: readonly VendorRows[]): string[] => [
      ...printPlan(plan, page),
      ...vendorRowLines(ownRows, "planned", page),
    ];
    const print = ({ operation, plan, ownRows }: Outcome): string[] => {
      if (plan.steps.length === 0) return soundLines(plan, page);
      if (operation === null) return planLines(plan, ownRows);
      const ofOneWrite = rescues.filter((each) => each.operation === operation);
      const undone = { count: ofOneWrite.length, isLast: ofOneWrite.at(-1)?.plan === plan };
      return printDone(operation, plan, page, vendorRowLines(ownRows, "done", page), undone);
    };
    const plans: (Target & { readonly plan: KeptPlan | undefined })[] = [];
    const draw = (target: Target): Promise<KeptPlan> =>
      out.progress(args.vscode ? "Examining chats" : "Reading the session", target.draw);
    for (const target of targets)
      await attempt(target.session, async () => {
        // Where even reading has to wait, there is nothing to show yet.
        const plan = args.whenClosed ? await draw(target).catch(unlessRunning) : await draw(target);
        if (!plan) plans.push({ ...target, plan });
        else if (plan.steps.length === 0) rescues.push(unwritten(plan, []));
        else if (args.dryRun) rescues.push(unwritten(plan, await preview(plan)));
        else plans.push({ ...target, plan });
      });
    if (args.background && plans.length > 0)
      return startJob(
        app,
        out,
        args,
        plans.map(({ change, plan }) => ({ ...change, input: pinned(change.input, plan) })),
      );
    const tell = async (): Promise<string[]> => {
      const made = plans.flatMap(({ plan }) => plan ?? []);
      return (await Promise.all(made.map(async (plan) => planLines(plan, await preview(plan))))).flat();
    };
    if (plans.length > 0 && !args.yes && !(await isAgreed(args, out, tell))) return 1;
    const agreeAnew = (plan: KeptPlan): Promise<boolean> =>
      isAgreed(args, out, async () => planLines(plan, await preview(plan)));
    const made = plans.flatMap(({ plan }) => plan ?? []);
    const together = args.whenClosed ? undefined : await writeTogether(app, made);
    if (together) {
      for (const [number, plan] of made.entries())
        rescues.push({ ...together, plan, ...(number > 0 && { ownRows: [] }) });
      for (const notice of together.notices) out.note(notice);
    }
    for (const target of together ? [] : plans)
      await attempt(target.session, async () => {
        const first = target.plan;
        const { plan, write } =
          first && !args.whenClosed
            ? { plan: first, write: await apply.run(app, { fingerprint: first.fingerprint }) }
            : await writeWhenClosed(
                app,
                out,
                first,
                () => draw(target),
                async (next, isChanged) => (first && !isChanged) || args.yes || agreeAnew(next),
              );
        rescues.push(write ?? unwritten(plan, []));
        for (const notice of write?.notices ?? []) out.note(notice);
      });

    if (args.json) {
      const outcomes = rescues.map((each) => toOutcomeJson(each, app));
      out.json({
        // For one named session the fields are where every other writing command has them.
        ...(targets.length === 1 && outcomes[0]),
        rescues: outcomes,
        failures,
      });
    } else {
      if (targets.length === 0) out.line("No session needs repair.");
      for (const each of rescues) for (const line of print(each)) out.line(line);
      for (const { session, message, hint } of failures) out.note(`${session}: ${message}. ${hint}.`);
    }
    return failures.length > 0 ? 1 : 0;
  },
});

/** Several as one write, with one undo; nothing where that cannot be, as one that is busy keeps no other from repair. */
async function writeTogether(app: App, plans: readonly KeptPlan[]): Promise<EditWrite | undefined> {
  if (plans.length < 2) return undefined;
  try {
    const joined = await planTogether.run(app, { fingerprints: plans.map((plan) => plan.fingerprint) });
    return await apply.run(app, { fingerprint: joined.fingerprint });
  } catch (error) {
    if (error instanceof AppError && error.code !== "write-interrupted") return undefined;
    throw error;
  }
}

interface Target {
  readonly session: string;
  readonly draw: (call: Call) => Promise<KeptPlan>;
  /** The same for a job. */
  readonly change: { readonly operation: string; readonly input: Readonly<Record<string, unknown>> };
}

function rescuedShape(z: Zod) {
  return z.object({
    rescues: z
      .array(written(rescue.output)(z).meta({ like: "fork", adds: ["repairs", "adoptions"] }))
      .describe(
        "one for each session, or a single one with `--vscode`; several of one write have the same `operation`",
      ),
    failures: z
      .array(
        z.object({
          session: z.string(),
          code: z.string(),
          message: z.string(),
          hint: z.string(),
          remedy: remedy(z).exactOptional().describe("`hint` as data"),
        }),
      )
      .describe("when there were several sessions, those that could not be repaired"),
  });
}
