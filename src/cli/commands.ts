/** All commands, loaded on demand. */
import type { AnyCommand } from "./command.ts";

type Load = () => Promise<{ readonly default: AnyCommand }>;

/** Every command by what it is for, with a heading for each group, in the order in which help lists them. */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Find: {
    overview: () => import("./commands/find/overview.ts"),
    list: () => import("./commands/find/list.ts"),
    show: () => import("./commands/find/show.ts"),
    search: () => import("./commands/find/search.ts"),
    context: () => import("./commands/find/context.ts"),
    blame: () => import("./commands/find/blame.ts"),
    diff: () => import("./commands/find/diff.ts"),
    tree: () => import("./commands/find/tree.ts"),
    workspaces: () => import("./commands/find/workspaces.ts"),
    stats: () => import("./commands/find/stats.ts"),
    sql: () => import("./commands/find/sql.ts"),
    export: () => import("./commands/find/export.ts"),
  },
  Change: {
    clone: () => import("./commands/change/clone.ts"),
    fork: () => import("./commands/change/fork.ts"),
    rewind: () => import("./commands/change/rewind.ts"),
    compact: () => import("./commands/change/compact.ts"),
    checkpoint: () => import("./commands/change/checkpoint.ts"),
    move: () => import("./commands/change/move.ts"),
    rename: () => import("./commands/change/rename.ts"),
    delete: () => import("./commands/change/delete.ts"),
    tag: () => import("./commands/change/tag.ts"),
    rescue: () => import("./commands/change/rescue.ts"),
    handoff: () => import("./commands/change/handoff.ts"),
    import: () => import("./commands/change/import.ts"),
    undo: () => import("./commands/change/undo.ts"),
    history: () => import("./commands/change/history.ts"),
  },
  Report: {
    chronicle: () => import("./commands/report/chronicle.ts"),
    board: () => import("./commands/report/board.ts"),
  },
  Continue: {
    chat: () => import("./commands/continue/chat.ts"),
    resume: () => import("./commands/continue/resume.ts"),
  },
  Maintain: {
    index: () => import("./commands/maintain/index.ts"),
    doctor: () => import("./commands/maintain/doctor.ts"),
    secrets: () => import("./commands/maintain/secrets.ts"),
    migrate: () => import("./commands/maintain/migrate.ts"),
    config: () => import("./commands/maintain/config.ts"),
  },
  Serve: {
    serve: () => import("./commands/serve/serve.ts"),
    mcp: () => import("./commands/serve/mcp.ts"),
    hub: () => import("./commands/serve/hub.ts"),
    sync: () => import("./commands/serve/sync.ts"),
  },
  Start: {
    demo: () => import("./commands/start/demo.ts"),
    completion: () => import("./commands/start/completion.ts"),
    help: () => import("./commands/start/help.ts"),
  },
};

/** By name alone. */
export const COMMANDS: Readonly<Record<string, Load>> = Object.assign({}, ...Object.values(GROUPS));

/** Other names of commands, as other programs have them. */
export const ALIASES: Readonly<Record<string, string>> = { ls: "list", rm: "delete" };

/** What runs when no command is named. */
export const DEFAULT_COMMAND = "overview";

export async function loadCommands(): Promise<AnyCommand[]> {
  return Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).default));
}
