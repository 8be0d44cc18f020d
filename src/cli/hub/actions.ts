/** Every action of `rethread hub`, loaded when it is asked for: nothing else loads the hub or its database driver. */
import type { HubAct } from "./called.ts";

type Load = () => Promise<HubAct>;

export const HUB_ACTIONS = {
  serve: async () => (await import("./serve.ts")).serve,
  status: async () => (await import("./status.ts")).status,
  reindex: async () => (await import("./status.ts")).reindex,
  backup: async () => (await import("./backup.ts")).backup,
  restore: async () => (await import("./backup.ts")).restore,
  init: async () => (await import("./people.ts")).init,
  user: async () => (await import("./people.ts")).user,
  team: async () => (await import("./people.ts")).team,
  login: async () => (await import("./login.ts")).login,
  logout: async () => (await import("./login.ts")).logout,
  whoami: async () => (await import("./login.ts")).whoami,
  key: async () => (await import("./login.ts")).key,
  provider: async () => (await import("./provider.ts")).provider,
} as const satisfies Readonly<Record<string, Load>>;
