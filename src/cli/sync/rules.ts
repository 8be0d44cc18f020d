/** `rethread sync allow|deny|seal|forget`: says what may leave. */
import type { SyncStatus } from "../../app/sync/contract.ts";
import { fitsRepository, toRepositoryPattern } from "../../app/sync/rule-names.ts";
import { type RuleEffect, syncRules } from "../../operations/hub/sync-rules.ts";
import { plural } from "../../present/text/measure.ts";
import { wrap } from "../../present/text/text.ts";
import { ruleLines } from "../print/answers/sync.ts";
import { folderOf, type SyncAct } from "./called.ts";

export const rules =
  (effect: RuleEffect): SyncAct =>
  async (called) => {
    const { args, names, out, openApp } = called;
    const app = await openApp();
    const status = await syncRules.run(app, {
      effect,
      ...(names.length > 0 && { repositories: names }),
      ...(args.folder.length > 0 && {
        folders: args.folder.map((folder) => folderOf(folder, called)),
      }),
      ...(args.session.length > 0 && { sessions: args.session }),
    });
    if (args.json) {
      out.json(syncRules.toJson(status, app));
      return 0;
    }
    for (const line of ruleLines(status, out).slice(1)) out.line(line);
    if (status.rules.length + status.privates.length === 0)
      out.line("There are no rules: nothing may leave.");
    out.line();
    const next =
      status.waiting === 0
        ? "Nothing is waiting to be sent."
        : `${plural(status.waiting, "session is", "sessions are")} waiting. Send: rethread sync`;
    for (const line of wrap(next, out.columns)) out.line(line);
    const unmet = effect === "forget" ? [] : names.map(toRepositoryPattern).filter(fitsNone(status));
    if (unmet.length > 0)
      out.note(
        `No session here is of ${unmet.join(", ")}; the rule is for those to come. Is it spelled right?`,
      );
    if ((effect === "deny" || effect === "forget") && status.pushed > 0)
      out.note("What the hub has already stays there; to remove it: rethread sync --delete <session>");
    if (effect === "seal" && status.recipient === undefined)
      out.note("Sealing needs a key, which this machine does not have yet. Make it: rethread hub key new");
    return 0;
  };

const fitsNone =
  ({ repositories }: SyncStatus) =>
  (pattern: string): boolean =>
    !repositories.some(({ repository }) => repository !== undefined && fitsRepository(pattern, repository));
