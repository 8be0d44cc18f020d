/** `rethread rescue`: repairs damaged sessions where they are. */
import type { OwnRows } from "../../app/contract.ts";
import { AppError } from "../../model/errors.ts";
import type { EditPlan } from "../../model/plan.ts";
import { toRepairJson, toWriteJson } from "../../present/json/plan.ts";
import { defineCommand } from "../command.ts";
import { type Failure, toFailure } from "../failure.ts";
import type { ShowProgress } from "../output.ts";
import { ownRowLines } from "../print/own-rows.ts";
import { printDone, printPlan } from "../print/plan.ts";
import { soundLines } from "../print/rescue.ts";
import { CHANGING_ARGS, isAgreed } from "../writing.ts";

export default defineCommand({
  name: "rescue",
  summary: "Repair damaged sessions where they are, so that their own program resumes them",
  about:
    "Copilot CLI: joined, torn or broken lines are parted, closed or put together, records that the program refuses are mended, a missing session.start and workspace.yaml are made, locks of dead processes go; what the program dropped when it repaired a log itself comes back from the copy it left. Sound lines keep their bytes. VS Code: torn, garbled and refused chats are mended, emptied ones made again from the log's own past, the extension's transcript or an older file, and the list of chats names again all that are there, and none that is not. The report names all that could not be kept. The damaged original is kept, so it can be undone.",
  args: {
    sessions: {
      kind: "positional",
      rest: true,
      optional: true,
      help: "sessions: any unique start of the id, the title, or source:id (default: all that `doctor` finds damaged)",
    },
    all: { kind: "flag", help: "every session that `doctor` finds damaged" },
    vscode: {
      kind: "flag",
      help: "all chats of VS Code, and its lists of them, as one write; VS Code must be closed",
    },
    ...CHANGING_ARGS,
  },
  examples: [
    { command: "rethread rescue --dry-run", why: "see what is damaged, and what would be done" },
    { command: "rethread rescue 0b1c2d3e --yes", why: "repair one session without being asked" },
    { command: "rethread rescue --vscode", why: "put right all that VS Code lost, hides or stumbles over" },
  ],
  json: {
    "operation, session, resume, plan, stats, losses[], risks[], ownRows[], notices[], repairs[]":
      "of the one session that was named, as in `rescues[]`; not there when several were repaired",
    "rescues[]":
      "one for each session, or one for all with `--vscode`: `operation` (null with `--dry-run`, and where nothing is wrong), `session`, `resume`, `plan`, `stats`, `losses`, `risks`, `ownRows`, `notices` as other writing commands have them",
    "rescues[].repairs[]":
      "`path`, `line`, `start`, `end` (bytes), `what`, `lost`: true when these bytes could not be kept; `title`, `workspace` with `--vscode`",
    "failures[]":
      "of several sessions, those that could not be repaired: `session`, `code`, `message`, `hint`",
  },
  async run({ args, out, openApp }) {
    const app = await openApp();
    const edit = await app.edit();
    const page = { columns: out.columns, style: out.style, isDemo: app.demo !== undefined };
    if ((args.all || args.vscode) && args.sessions.length > 0)
      throw new AppError(
        "usage",
        `--${args.all ? "all" : "vscode"} goes without the names of sessions`,
        "Leave one of them out",
      );
    const names =
      args.sessions.length > 0 || args.vscode
        ? args.sessions
        : await out.progress("Examining sessions", (progress) => app.damaged(progress));
    const targets: { session: string; draw: (progress: ShowProgress) => Promise<EditPlan> }[] = args.vscode
      ? [{ session: "vscode", draw: (progress) => edit.planRescueAll("vscode", progress) }]
      : names.map((session) => ({ session, draw: (progress) => edit.planRescue(session, progress) }));
    const rescues: {
      operation: string | null;
      plan: EditPlan;
      ownRows: readonly OwnRows[];
      notices: readonly string[];
    }[] = [];
    const failures: ({ session: string } & Pick<Failure, "code" | "message" | "hint">)[] = [];
    /** One that cannot be repaired does not keep the others from it. */
    const attempt = async (session: string, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (targets.length === 1) throw error;
        const { code, message, hint } = toFailure(error);
        failures.push({ session, code, message, hint });
      }
    };

    const planLines = (plan: EditPlan, ownRows: readonly OwnRows[]): string[] => [
      ...printPlan(plan, page),
      ...ownRowLines(ownRows, "planned", page),
    ];
    const print = (operation: string | null, plan: EditPlan, ownRows: readonly OwnRows[]): string[] => {
      if (plan.steps.length === 0) return soundLines(plan, page.columns);
      if (operation === null) return planLines(plan, ownRows);
      return printDone(operation, plan, page, ownRowLines(ownRows, "done", page));
    };
    const plans: { session: string; plan: EditPlan }[] = [];
    for (const { session, draw } of targets)
      await attempt(session, async () => {
        const drawn = await out.progress(args.vscode ? "Examining chats" : "Reading the session", draw);
        const plan = args.ignoreLock ? await edit.ignoreLocks(drawn) : drawn;
        if (plan.steps.length === 0) rescues.push({ operation: null, plan, ownRows: [], notices: [] });
        else if (args.dryRun)
          rescues.push({ operation: null, plan, ownRows: await edit.foresee(plan), notices: [] });
        else plans.push({ session, plan });
      });
    const tell = async (): Promise<string[]> => {
      const all = await Promise.all(plans.map(async ({ plan }) => planLines(plan, await edit.foresee(plan))));
      return all.flat();
    };
    if (plans.length > 0 && !args.yes && !(await isAgreed(args, out, tell))) return 1;
    for (const { session, plan } of plans)
      await attempt(session, async () => {
        const { operation, ownRows, notices } = await edit.apply(plan);
        rescues.push({ operation, plan, ownRows, notices });
        for (const notice of notices) out.note(notice);
      });

    if (args.json) {
      const all = rescues.map(({ plan, ...write }) => ({
        ...toWriteJson(plan, write),
        repairs: (plan.repairs ?? []).map(toRepairJson),
      }));
      out.json({
        // Whoever names one session finds its fields where every other writing command has them.
        ...(targets.length === 1 && all[0]),
        rescues: all,
        failures,
      });
    } else {
      if (targets.length === 0) out.line("No session is in need of repair.");
      for (const { operation, plan, ownRows } of rescues)
        for (const line of print(operation, plan, ownRows)) out.line(line);
      for (const { session, message, hint } of failures) out.note(`${session}: ${message}. ${hint}.`);
    }
    return failures.length > 0 ? 1 : 0;
  },
});
