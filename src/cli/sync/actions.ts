/** Every action of `rethread sync`, loaded when it is asked for, and the arguments that it looks at. */
import type { SyncAct } from "./called.ts";

type Load = () => Promise<SyncAct>;

export const SYNC_ACTIONS = {
  push: async () => (await import("./push.ts")).push,
  watch: async () => (await import("./push.ts")).watch,
  status: async () => (await import("./push.ts")).status,
} as const satisfies Readonly<Record<string, Load>>;

export const SYNC_TAKES: Readonly<Record<keyof typeof SYNC_ACTIONS, readonly string[]>> = {
  push: ["what", "repo", "since", "dryRun", "yes"],
  watch: ["what", "watch", "repo", "since", "yes"],
  status: [],
};
