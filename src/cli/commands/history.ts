/** `rethread history`: what we wrote, what became of it, and how long its backups stay. */
import { AppError } from "../../model/errors.ts";
import { defineCommand } from "../command.ts";
import { printConfirmed, printHistory, printPruned } from "../print/history.ts";
import { AGREED_ARGS, isAgreed } from "../writing.ts";

export default defineCommand({
  name: "history",
  summary: "List rethread's own writes: when, what, to which session, and how long their backups stay",
  about:
    "The backup of a write stays until the write is confirmed: the session's own program has gone on with it since, or you say so with --confirm. A confirmed one stays for backupDays more (config.json), unless all backups take more than backupBytes. After each write those that may go do so, the oldest first.",
  args: {
    confirm: { kind: "text", value: "operation", help: "this write is good, its backup may go; or `all`" },
    prune: { kind: "flag", help: "let the backups go that may" },
    ...AGREED_ARGS,
  },
  examples: [
    { command: "rethread history", why: "which write to undo" },
    { command: "rethread history --confirm 3f2a9c1e", why: "that one is good" },
    { command: "rethread history --prune --dry-run", why: "see which backups may go" },
  ],
  json: {
    "writes[]":
      "`operation`, `kind`, `at` (ISO 8601), `state` (`done`, `undone`, `failed`, `pending`), `session` (`source`, `id`), `from`, `title`, `undoes`, `confirmed`, `backup` (`files`, `bytes`, `stored`: bytes in the vault, `until`: `confirmed`, a time, `gone`, or null where there is none); latest first",
    backups:
      "`stored` (bytes of all), `days` and `bytes` as they are set, `prunable` (`operations[]`, `freed`, `left`)",
    "confirmed[]": "with `--confirm`: the operations that were not before",
    pruned: "with `--prune`: `operations[]`, `freed`, `left`",
  },
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const edit = await app.edit();
    if (args.confirm !== undefined && args.prune)
      throw new AppError("usage", "--confirm and --prune go one after the other", "Leave one of them out");
    if (args.confirm !== undefined) {
      const confirmed = await edit.confirm(args.confirm);
      if (args.json) out.json({ confirmed });
      else for (const line of printConfirmed(confirmed)) out.line(line);
      return 0;
    }
    const report = await edit.backups();
    if (args.prune) {
      const { prunable } = report;
      const isDone = !args.dryRun && prunable.operations.length > 0;
      if (isDone && !args.yes && !(await isAgreed(args, out, async () => printPruned(prunable, false))))
        return 1;
      const pruned = isDone ? await edit.prune() : prunable;
      if (args.json) out.json({ pruned });
      else for (const line of printPruned(pruned, isDone)) out.line(line);
      return 0;
    }
    const writes = await edit.history();
    const isDemo = app.demo !== undefined;
    const page = { columns: out.columns, style: out.style, now: config.now, isDemo };
    const { stored, retention, prunable } = report;
    if (args.json)
      out.json({
        writes: writes.map(({ session: { source, id }, undoes = null, isConfirmed, backup, ...write }) => ({
          ...write,
          session: { source, id },
          undoes,
          confirmed: isConfirmed,
          backup: { ...backup, until: backup.until ?? null },
        })),
        backups: { stored, ...retention, prunable },
      });
    else for (const line of printHistory(writes, report, page)) out.line(line);
    return 0;
  },
});
