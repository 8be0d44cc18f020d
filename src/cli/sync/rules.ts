/** `rethread sync allow|deny|seal|forget`: says what may leave. */
import { toRepositoryName } from "../../model/values/repository.ts";
import { type RuleEffect, syncRules } from "../../operations/sync-rules.ts";
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
      ...(names.length > 0 && { repositories: names.map(repositoryOf) }),
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
    if (effect === "deny" && status.pushed > 0)
      out.note("What the hub has already stays there; to remove it: rethread sync --delete <session>");
    if (effect === "seal" && status.recipient === undefined)
      out.note("Sealing needs a key, which this machine does not have yet. Make it: rethread hub key new");
    return 0;
  };

/** An address is as good as a name; what has a star is a pattern. */
const repositoryOf = (text: string): string => (text.includes("*") ? text : (toRepositoryName(text) ?? text));
