/** `rethread sync share|unshare`: what one's team sees of what is on the hub. */
import type { ShareChange } from "../../app/sync/contract.ts";
import { AppError } from "../../model/errors.ts";
import { syncShare } from "../../operations/hub/sync-share.ts";
import { plural } from "../../present/text/measure.ts";
import { oneLine, wrap } from "../../present/text/text.ts";
import type { SyncAct } from "./called.ts";

export const sharing =
  (isOver: boolean): SyncAct =>
  async ({ args, names, out, openApp }) => {
    // Repositories have a slash in their names, and so have their addresses.
    const [repositories, others] = [names.filter(isRepository), names.filter((name) => !isRepository(name))];
    const sessions = [...others, ...args.session];
    const pattern = names.find((name) => name.includes("*"));
    if (pattern !== undefined)
      throw new AppError(
        "usage",
        `A share is for one repository, and ${oneLine(pattern)} stands for several`,
        "Name each by its full name: rethread sync share owner/name owner/other",
      );
    const app = await openApp();
    const report = await out.progress("Asking the hub", (call) =>
      syncShare.run(
        app,
        {
          ...(repositories.length > 0 && { repositories }),
          ...(sessions.length > 0 && { sessions }),
          ...(args.team !== undefined && { team: args.team }),
          ...(isOver && { isOver }),
          ...(args.dryRun && { dryRun: true }),
        },
        call,
      ),
    );
    if (args.json) {
      out.json(syncShare.toJson(report, app));
      return 0;
    }
    for (const share of report.shares)
      for (const line of wrap(sentence(share, isOver), out.columns)) out.line(line);
    if (report.shares.length === 0)
      for (const line of wrap(
        `You share nothing on ${report.hub}: only you see your sessions. Share a repository: rethread sync share owner/name`,
        out.columns,
      ))
        out.line(line);
    return 0;
  };

const isRepository = (name: string): boolean => name.includes("/");

function sentence(share: ShareChange, isOver: boolean): string {
  const { outcome, team, repository, session, title, sessionCount, changed, stillBy } = share;
  const what = oneLine(repository ?? (title === "" ? session : `"${title}"`) ?? "");
  const all = plural(sessionCount, "session", "sessions");
  const who = `the team "${oneLine(team)}"`;
  const which =
    repository === undefined
      ? sealed(share)
      : sessionCount === 0
        ? ". The hub has no session of yours in it yet; the team will see those to come."
        : `, now and to come (${all} on the hub).`;
  if (outcome === "shared") return `Shared ${what} with ${who}${which}`;
  if (outcome === "planned" && !isOver) return `Would share ${what} with ${who}${which}`;
  if (outcome === "unchanged") return `${what} is shared with ${who}${which}`;
  if (stillBy !== undefined)
    return `${outcome === "planned" ? "Would share" : "Shared"} ${what} by itself no longer. ${who.replace("the", "The")} still sees it with ${oneLine(stillBy)}.`;
  return outcome === "planned"
    ? `Would no longer share ${what} with ${who} (${all}).`
    : `Shared ${what} no longer: ${plural(changed ?? 0, "session is", "sessions are")} yours alone again.`;
}

const sealed = ({ isSealed }: ShareChange): string =>
  isSealed ? ". It is sealed: they see that it is there, and cannot read it." : ".";
