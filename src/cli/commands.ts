/** Every command by name, loaded when it is asked for. */
import type { AnyCommand } from "./command.ts";

type Load = () => Promise<{ readonly default: AnyCommand }>;

export const COMMANDS: Readonly<Record<string, Load>> = {
  overview: () => import("./commands/overview.ts"),
  list: () => import("./commands/list.ts"),
  show: () => import("./commands/show.ts"),
  diff: () => import("./commands/diff.ts"),
  export: () => import("./commands/export.ts"),
  context: () => import("./commands/context.ts"),
  search: () => import("./commands/search.ts"),
  tree: () => import("./commands/tree.ts"),
  stats: () => import("./commands/stats.ts"),
  sql: () => import("./commands/sql.ts"),
  clone: () => import("./commands/clone.ts"),
  fork: () => import("./commands/fork.ts"),
  rewind: () => import("./commands/rewind.ts"),
  rename: () => import("./commands/rename.ts"),
  delete: () => import("./commands/delete.ts"),
  rescue: () => import("./commands/rescue.ts"),
  undo: () => import("./commands/undo.ts"),
  history: () => import("./commands/history.ts"),
  index: () => import("./commands/index.ts"),
  doctor: () => import("./commands/doctor.ts"),
  demo: () => import("./commands/demo.ts"),
  completion: () => import("./commands/completion.ts"),
  help: () => import("./commands/help.ts"),
};

/** What runs when no command is named. */
export const DEFAULT_COMMAND = "overview";

export async function loadCommands(): Promise<AnyCommand[]> {
  return Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).default));
}
