/** `rethread history`: lists our writes, their state, and how long their backups are kept. */

import { AppError } from "../../../model/errors.ts";
import {
  confirm,
  history,
  prune,
  repairBackups,
  verifyBackups,
} from "../../../operations/questions/history.ts";
import { defineCommand } from "../../command.ts";
import { printBoardChanges } from "../../print/answers/board.ts";
import { isDamaged, printAudit } from "../../print/changes/audit.ts";
import { printConfirmed, printHistory, printJobs, printPruned } from "../../print/changes/history.ts";
import { AGREED_ARGS, isAgreed } from "../../writing.ts";

export default defineCommand({
  name: "history",
  summary: history.summary,
  brief: "List rethread's writes, and how long backups are kept",
  about:
    "Writes that wait in the background (--when-closed --background) come first, then changes of the context board. The backup of a write is kept until the session is continued in its own program, or until you confirm the write with --confirm. After that it is kept for backupDays more (config.json), unless all backups take more than backupBytes. Each write removes the backups that have expired, oldest first. A backup is verified when it is made, and when a later write relies on the same bytes; `doctor` checks that no block is missing, and --verify reads every block, including those of archived sessions. The exit code is 1 when damage remains.",
  isPaged: true,
  args: {
    confirm: {
      kind: "text",
      value: "operation",
      help: "confirm that this write is good, so that its backup can be removed in time; or `all`",
    },
    prune: { kind: "flag", help: "remove the backups that have expired" },
    verify: { kind: "flag", help: "read all backups and archived copies, and report which are damaged" },
    repair: {
      kind: "flag",
      help: "with --verify: restore damaged blocks from files that still have the same bytes",
    },
    ...AGREED_ARGS,
  },
  examples: [
    { command: "rethread history", why: "find the write to undo" },
    { command: "rethread history --confirm 3f2a9c1e", why: "confirm that this write is good" },
    { command: "rethread history --prune --dry-run", why: "see which backups have expired" },
    { command: "rethread history --verify", why: "check that every write can still be undone" },
  ],
  operations: [history, confirm, prune, verifyBackups, repairBackups],
  json: [
    { schema: history.output },
    { when: "with `--confirm`", schema: confirm.output },
    { when: "with `--prune`", schema: prune.output },
    { when: "with `--verify`", schema: verifyBackups.output },
  ],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    if ([args.confirm !== undefined, args.prune, args.verify].filter(Boolean).length > 1)
      throw new AppError(
        "usage",
        "--confirm, --prune and --verify cannot be combined",
        "Use only one of them",
      );
    if (args.repair && !args.verify)
      throw new AppError("usage", "--repair needs --verify", {
        say: "Run",
        remedy: { action: "history", args: { verify: true, repair: true } },
      });
    if (args.verify) {
      const verify = args.repair && !args.dryRun ? repairBackups : verifyBackups;
      const audit = await out.progress("Reading backups", (call) => verify.run(app, {}, call));
      if (args.json) out.json(verify.toJson(audit, app));
      else for (const line of printAudit(audit, out, app.demo ? " --demo" : "")) out.line(line);
      return isDamaged(audit) ? 1 : 0;
    }
    if (args.confirm !== undefined) {
      const confirmed = await confirm.run(app, { operation: args.confirm });
      if (args.json) out.json(confirm.toJson(confirmed, app));
      else for (const line of printConfirmed(confirmed)) out.line(line);
      return 0;
    }
    const past = await history.run(app, {});
    if (args.prune) {
      const { prunable } = past.report;
      const isDone = !args.dryRun && prunable.operations.length > 0;
      if (isDone && !args.yes && !(await isAgreed(args, out, async () => printPruned(prunable, false))))
        return 1;
      const pruned = isDone ? await prune.run(app, {}) : prunable;
      if (args.json) out.json(prune.toJson(pruned, app));
      else for (const line of printPruned(pruned, isDone)) out.line(line);
      return 0;
    }
    const isDemo = app.demo !== undefined;
    const page = { columns: out.columns, style: out.style, now: config.now(), isDemo };
    if (args.json) out.json(history.toJson(past, app));
    else
      for (const line of [
        ...printJobs(past.jobs, page),
        ...printBoardChanges(past.board, page),
        ...printHistory(past.writes, past.report, page),
      ])
        out.line(line);
    return 0;
  },
});
