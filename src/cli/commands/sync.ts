/** `rethread sync`: sends sessions to the team's hub, and brings those of one's other machines here. */
import { hubWhoami } from "../../operations/hub-login.ts";
import { syncPreview, syncPush, syncStatus, syncWatch } from "../../operations/sync.ts";
import type { ArgSpecs } from "../args.ts";
import { defineCommand } from "../command.ts";
import { WORK_FILTER_ARGS } from "../filters.ts";
import { SYNC_ACTIONS, SYNC_TAKES } from "../sync/actions.ts";

const { repo, since } = WORK_FILTER_ARGS;

export const SYNC_ARGS = {
  what: {
    kind: "positional",
    optional: true,
    rest: true,
    session: true,
    choices: ["status"],
    help: "sessions, to push only these; or one of these words",
  },
  watch: { kind: "flag", help: "keep running until interrupted, and push what changes" },
  repo,
  since,
  dryRun: { kind: "flag", help: "show what would leave and what would be redacted, and send nothing" },
  yes: {
    kind: "flag",
    short: "y",
    help: "do not ask; the first time this agrees to what would be listed, and allows those repositories",
  },
} as const satisfies ArgSpecs;

export default defineCommand({
  name: "sync",
  summary: "Send your sessions to the team's hub, without secrets and only what is new",
  brief: "Send your sessions to the team's hub",
  about:
    "The first time it shows what would leave, and asks. Only sessions of repositories and folders that you allowed are sent; secrets are replaced by marks before anything leaves this machine. On the hub a session is yours alone until you share it. It may be interrupted at any time, and continues the next time. Exit codes: 0 when all that may leave is on the hub, 1 when something failed (the rest was sent), 130 when it was interrupted.",
  args: SYNC_ARGS,
  examples: [
    { command: "rethread sync --dry-run", why: "see what would leave, and what would be redacted" },
    { command: "rethread sync", why: "send what is new" },
    { command: "rethread sync status", why: "see what may leave, and what is in the way" },
    { command: "rethread sync --watch", why: "send what changes while you work" },
  ],
  operations: [syncStatus, syncPreview, syncPush, syncWatch, hubWhoami],
  json: [
    { schema: syncPush.output },
    { when: "with `--dry-run`", schema: syncPreview.output },
    { when: "of `status`", schema: syncStatus.output },
    { when: "with `--watch`, on a line for each push", schema: syncWatch.output },
  ],
  async run(called) {
    const { args } = called;
    const { action, names } = toAction(args);
    const { refuseOthers } = await import("../action-args.ts");
    refuseOthers(`sync ${action}`, SYNC_ARGS, { ...args, what: names }, SYNC_TAKES[action]);
    const act = await SYNC_ACTIONS[action]();
    return act({ ...called, names });
  },
});

/** The first word may name an action; all others name sessions. */
function toAction({ what, watch }: { readonly what: readonly string[]; readonly watch: boolean }): {
  readonly action: keyof typeof SYNC_ACTIONS;
  readonly names: readonly string[];
} {
  const [first, ...rest] = what;
  if (first === "status") return { action: "status", names: rest };
  return { action: watch ? "watch" : "push", names: what };
}
