/** `rethread sync --pull` and `--delete`: sessions that the hub has. */
import { AppError } from "../../model/errors.ts";
import { syncDelete, syncPull } from "../../operations/hub/sync-pull.ts";
import { plural } from "../../present/text/measure.ts";
import { oneLine, wrap } from "../../present/text/text.ts";
import { interruptible } from "../interrupt.ts";
import { printDeletions, printPull } from "../print/answers/sync-pull.ts";
import { isAgreed } from "../writing.ts";
import { folderOf, type SyncAct } from "./called.ts";

export const pull: SyncAct = async ({ args, names, config, out, openApp }) => {
  const app = await openApp();
  const { to, dryRun } = args;
  const input = {
    ...(names.length > 0 && { sessions: names }),
    ...(to !== undefined && { to: folderOf(to, { config }) }),
    ...(dryRun && { dryRun }),
  };
  return interruptible(async ({ signal }) => {
    const report = await out.progress("Asking the hub", (call) =>
      syncPull.run(app, input, { ...call, signal }),
    );
    if (args.json) out.json(syncPull.toJson(report, app));
    else for (const line of printPull(report, out)) out.line(line);
    return report.outcome === "clean" ? 0 : 1;
  });
};

export const remove: SyncAct = async ({ args, names, out, openApp }) => {
  if (names.length === 0)
    throw new AppError(
      "usage",
      "sync --delete needs at least one session",
      "Name it as here, or as the hub does: rethread sync --delete <session>",
    );
  const app = await openApp();
  const found = await syncDelete.run(app, { sessions: names, dryRun: true });
  if (args.dryRun) {
    if (args.json) out.json(syncDelete.toJson(found, app));
    else
      for (const { hubSession, title } of found) out.line(`Would delete ${oneLine(title)} (${hubSession})`);
    return 0;
  }
  const shown = async (): Promise<string[]> => [
    ...wrap(
      `Would delete ${plural(found.length, "session", "sessions")} from ${found[0]?.hub ?? "the hub"} for good; no backup is kept there. What is here stays, and is not sent again:`,
      out.remarks.columns,
    ),
    ...found.map(({ hubSession, title }) => `  ${hubSession}  ${oneLine(title)}`),
  ];
  if (!args.yes && !(await isAgreed(args, out, shown, "what the hub has"))) return 1;
  const deleted = await syncDelete.run(app, { sessions: names });
  if (args.json) out.json(syncDelete.toJson(deleted, app));
  else for (const line of printDeletions(deleted, out)) out.line(line);
  return 0;
};
