/** Every action of `rethread sync`, loaded when it is asked for, and the arguments that it looks at. */
import type { RuleEffect } from "../../operations/hub/sync-rules.ts";
import type { SyncAct } from "./called.ts";

type Load = () => Promise<SyncAct>;

const rule =
  (effect: RuleEffect): Load =>
  async () =>
    (await import("./rules.ts")).rules(effect);

export const SYNC_ACTIONS = {
  push: async () => (await import("./push.ts")).push,
  watch: async () => (await import("./push.ts")).watch,
  pull: async () => (await import("./pull.ts")).pull,
  delete: async () => (await import("./pull.ts")).remove,
  status: async () => (await import("./push.ts")).status,
  allow: rule("allow"),
  deny: rule("deny"),
  seal: rule("seal"),
  forget: rule("forget"),
  share: async () => (await import("./sharing.ts")).sharing(false),
  unshare: async () => (await import("./sharing.ts")).sharing(true),
} as const satisfies Readonly<Record<string, Load>>;

export type SyncAction = keyof typeof SYNC_ACTIONS;

const RULE_ARGS = ["what", "folder", "session"] as const;
const SHARE_ARGS = ["what", "session", "team", "dryRun"] as const;

export const SYNC_TAKES: Readonly<Record<SyncAction, readonly string[]>> = {
  push: ["what", "repo", "since", "dryRun", "yes"],
  watch: ["what", "watch", "repo", "since", "yes"],
  pull: ["what", "pull", "to", "dryRun", "yes"],
  delete: ["what", "delete", "dryRun", "yes"],
  status: [],
  allow: RULE_ARGS,
  deny: RULE_ARGS,
  seal: RULE_ARGS,
  forget: RULE_ARGS,
  share: SHARE_ARGS,
  unshare: SHARE_ARGS,
};
