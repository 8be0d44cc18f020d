/** `rethread history`: what we wrote, what became of it, and how long its backups stay. */
import { AppError } from "../../model/errors.ts";
import { toAuditJson, toHistoryJson } from "../../present/json/history.ts";
import { defineCommand } from "../command.ts";
import { isDamaged, printAudit } from "../print/audit.ts";
import { printConfirmed, printHistory, printPruned } from "../print/history.ts";
import { AGREED_ARGS, isAgreed } from "../writing.ts";

export default defineCommand({
  name: "history",
  summary: "List rethread's own writes: when, what, to which session, and how long their backups stay",
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
  json: {
    "writes[]":
      "`operation`, `kind`, `at` (ISO 8601), `state` (`done`, `undone`, `failed`, `pending`), `session` (`source`, `id`), `from`, `title`, `undoes`, `became[]` (after a crash between two sessions, what became of each: `source`, `id`, `became`: `new`, `old`, or `mixed` where others have changed it), `confirmed`, `backup` (`files`, `bytes`, `stored`: bytes in the vault, `until`: `confirmed`, a time, `gone`, or null where there is none); latest first",
    backups:
      "`stored` (bytes of all), `days` and `bytes` as they are set, `prunable` (`operations[]`, `freed`, `left`)",
    "confirmed[]": "with `--confirm`: the operations that were not before",
    pruned: "with `--prune`: `operations[]`, `freed`, `left`",
    verified:
      "with `--verify`: `blocks` and `bytes` of the vault, `bad[]` (`block`, `path`, `why`, `operations[]`, `sessions[]` (`source`, `id`) and `files[]` that need it, `copy`: a file that still has the same bytes, or null, `repaired`), `strays[]`: what does not belong in the vault, `state[]`: what is wrong with state.db",
  },
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const edit = await app.edit();
    if ([args.confirm !== undefined, args.prune, args.verify].filter(Boolean).length > 1)
      throw new AppError(
        "usage",
        "--confirm, --prune and --verify go one after the other",
        "Leave all but one of them out",
      );
    if (args.repair && !args.verify)
      throw new AppError("usage", "--repair goes with --verify", "Run: rethread history --verify --repair");
    if (args.verify) {
      const audit = await out.progress("Reading backups", (progress) =>
        edit.verify({ repair: args.repair && !args.dryRun }, progress),
      );
      if (args.json) out.json({ verified: toAuditJson(audit) });
      else for (const line of printAudit(audit, out, app.demo ? " --demo" : "")) out.line(line);
      return isDamaged(audit) ? 1 : 0;
    }
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
    const page = { columns: out.columns, style: out.style, now: config.now(), isDemo };
    if (args.json) out.json(toHistoryJson(writes, report));
    else for (const line of printHistory(writes, report, page)) out.line(line);
    return 0;
  },
});
