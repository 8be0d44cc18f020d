/** `rethread history`: what we wrote, what became of it, and how long its backups stay. */

import { AppError } from "../../model/errors.ts";
import { confirm, history, prune, repairBackups, verifyBackups } from "../../operations/history.ts";
import { toCall } from "../calling.ts";
import { defineCommand } from "../command.ts";
import { isDamaged, printAudit } from "../print/audit.ts";
import { printConfirmed, printHistory, printPruned } from "../print/history.ts";
import { AGREED_ARGS, isAgreed } from "../writing.ts";

export default defineCommand({
  name: "history",
  summary: history.summary,
  about:
    "The backup of a write stays until the write is confirmed: the session's own program has gone on with it since, or you say so with --confirm. A confirmed one stays for backupDays more (config.json), unless all backups take more than backupBytes. After each write those that may go do so, the oldest first. A backup is verified when it is made, and when a later write relies on the same bytes; `doctor` looks whether all blocks are there, and --verify reads every one of them, those of archived sessions included: exit code 1 when something is damaged and stays so.",
  args: {
    confirm: { kind: "text", value: "operation", help: "this write is good, its backup may go; or `all`" },
    prune: { kind: "flag", help: "let the backups go that may" },
    verify: { kind: "flag", help: "read all backups and archived copies, and say which are damaged" },
    repair: {
      kind: "flag",
      help: "with --verify: write damaged blocks again where the same bytes are still on disk",
    },
    ...AGREED_ARGS,
  },
  examples: [
    { command: "rethread history", why: "which write to undo" },
    { command: "rethread history --confirm 3f2a9c1e", why: "that one is good" },
    { command: "rethread history --prune --dry-run", why: "see which backups may go" },
    { command: "rethread history --verify", why: "can every write still be undone?" },
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
        "--confirm, --prune and --verify go one after the other",
        "Leave all but one of them out",
      );
    if (args.repair && !args.verify)
      throw new AppError("usage", "--repair goes with --verify", "Run: rethread history --verify --repair");
    if (args.verify) {
      const verify = args.repair && !args.dryRun ? repairBackups : verifyBackups;
      const audit = await out.progress("Reading backups", (progress) =>
        verify.run(app, {}, toCall(progress)),
      );
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
    else for (const line of printHistory(past.writes, past.report, page)) out.line(line);
    return 0;
  },
});
