/** `rethread sync`: sends sessions to the team's hub, and brings those of one's other machines here. */
import { syncPreview, syncPush, syncStatus, syncWatch } from "../../../operations/hub/sync.ts";
import { syncDelete, syncPull } from "../../../operations/hub/sync-pull.ts";
import { syncRules } from "../../../operations/hub/sync-rules.ts";
import { syncShare } from "../../../operations/hub/sync-share.ts";
import type { ArgSpecs } from "../../args.ts";
import { defineCommand } from "../../command.ts";
import { WORK_FILTER_ARGS } from "../../filters.ts";
import { SYNC_ACTIONS, SYNC_TAKES, type SyncAction } from "../../sync/actions.ts";

const { repo, since } = WORK_FILTER_ARGS;
const WORDS = ["status", "allow", "deny", "seal", "forget", "share", "unshare"] as const;

export const SYNC_ARGS = {
  what: {
    kind: "positional",
    optional: true,
    rest: true,
    session: true,
    choices: WORDS,
    help: "sessions, to push (or pull, or delete) only these; or one of the words below: behind a rule the repositories (owner/name, also with * in it) that it is for, behind `share` and `unshare` repositories or sessions",
  },
  pull: {
    kind: "flag",
    help: "bring sessions of your other machines here, into a clone of the same repository, ready to be continued",
  },
  to: {
    kind: "text",
    value: "folder",
    completes: "workspaces",
    help: "with --pull: the folder they are about here",
  },
  watch: { kind: "flag", help: "keep running until interrupted, and push what changes" },
  delete: { kind: "flag", help: "delete these sessions from the hub for good; here they stay" },
  repo,
  since,
  folder: {
    kind: "list",
    value: "path",
    completes: "workspaces",
    help: "a rule for sessions without a repository, in this folder or below it; may be repeated",
  },
  session: {
    kind: "list",
    value: "session",
    help: "this session alone, for a rule or a share; may be repeated",
  },
  team: {
    kind: "text",
    value: "team",
    help: "with `share`: who sees it; by default the team that you are in",
  },
  dryRun: {
    kind: "flag",
    help: "show what would leave and what would be redacted, or what others would see, and change nothing",
  },
  yes: {
    kind: "flag",
    short: "y",
    help: "do not ask; the first time this agrees to what would be listed, and allows those repositories",
  },
} as const satisfies ArgSpecs;

export default defineCommand({
  name: "sync",
  summary: "Send your sessions to the team's hub, and bring those of your other machines here",
  brief: "Send your sessions to the team's hub",
  about:
    "The first time it shows what would leave, and asks. Only sessions of repositories and folders that you allowed are sent, and of those only what is new. Secrets are replaced by marks before anything leaves this machine. Rules: `allow` lets sessions leave, `deny` keeps them here, `seal` sends them encrypted with your own key (`rethread hub key`), so that the hub cannot read them, and `forget` removes a rule; deny is stronger than seal, and seal than allow. On the hub a session is yours alone until you share it with a team: `share` shows a team a repository with all of your sessions in it, or one session, `unshare` takes that back, and `share` by itself lists what you share. A push may be interrupted at any time, and continues the next time. Exit codes: 0 when all that may leave is on the hub, 1 when something failed (the rest was sent), 130 when it was interrupted. See docs/sync.md.",
  args: SYNC_ARGS,
  examples: [
    { command: "rethread sync --dry-run", why: "see what would leave, and what would be redacted" },
    { command: "rethread sync", why: "send what is new" },
    { command: "rethread sync status", why: "see what may leave, and what is in the way" },
    {
      command: "rethread sync allow acme/shop 'acme/lib-*'",
      why: "let sessions of these repositories leave",
    },
    {
      command: "rethread sync seal --session 0b1c2d3e",
      why: "send a session so that the hub cannot read it",
    },
    { command: "rethread sync --pull 0b1c2d3e", why: "continue here what was begun on another machine" },
    { command: "rethread sync --delete 0b1c2d3e", why: "remove a session from the hub" },
    { command: "rethread sync share acme/shop", why: "let your team read what you did there" },
    { command: "rethread sync --watch", why: "send what changes while you work" },
  ],
  operations: [syncStatus, syncPreview, syncPush, syncWatch, syncRules, syncPull, syncDelete, syncShare],
  json: [
    { schema: syncPush.output },
    { when: "with `--dry-run`", schema: syncPreview.output },
    { when: "with `--watch`, on a line for each push", schema: syncWatch.output },
    { when: "with `--pull`", schema: syncPull.output },
    { when: "with `--delete`", schema: syncDelete.output },
    { when: "of `status`", schema: syncStatus.output },
    { when: "of `allow`, `deny`, `seal` and `forget`", schema: syncRules.output },
    { when: "of `share` and `unshare`", schema: syncShare.output },
  ],
  async run(called) {
    const { args } = called;
    const { action, names } = toAction(args);
    const { refuseOthers } = await import("../../action-args.ts");
    const told = ["push", "pull", "watch", "delete"].includes(action) ? `sync --${action}` : `sync ${action}`;
    refuseOthers(told.replace(" --push", ""), SYNC_ARGS, { ...args, what: names }, SYNC_TAKES[action]);
    const act = await SYNC_ACTIONS[action]();
    return act({ ...called, names });
  },
});

interface Wanted {
  readonly what: readonly string[];
  readonly pull: boolean;
  readonly watch: boolean;
  readonly delete: boolean;
}

/** The first word may name an action, unless an option does; all others name sessions or repositories. */
function toAction({ what, pull, watch, delete: isDeleting }: Wanted): {
  readonly action: SyncAction;
  readonly names: readonly string[];
} {
  const [first, ...rest] = what;
  if (pull) return { action: "pull", names: what };
  if (isDeleting) return { action: "delete", names: what };
  if (watch) return { action: "watch", names: what };
  const word = WORDS.find((each) => each === first);
  return word === undefined ? { action: "push", names: what } : { action: word, names: rest };
}
