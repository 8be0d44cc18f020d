/** All commands, loaded on demand. */
import type { AnyCommand } from "./command.ts";

type Load = () => Promise<{ readonly default: AnyCommand }>;

/** Every command by what it is for, with a heading for each group, in the order in which help lists them. */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Find: {
    overview: () => import("./commands/overview.ts"),
    list: () => import("./commands/list.ts"),
    show: () => import("./commands/show.ts"),
    search: () => import("./commands/search.ts"),
    context: () => import("./commands/context.ts"),
    blame: () => import("./commands/blame.ts"),
    diff: () => import("./commands/diff.ts"),
    tree: () => import("./commands/tree.ts"),
    workspaces: () => import("./commands/workspaces.ts"),
    stats: () => import("./commands/stats.ts"),
    sql: () => import("./commands/sql.ts"),
    export: () => import("./commands/export.ts"),
  },
  Change: {
    clone: () => import("./commands/clone.ts"),
    fork: () => import("./commands/fork.ts"),
    rewind: () => import("./commands/rewind.ts"),
    compact: () => import("./commands/compact.ts"),
    checkpoint: () => import("./commands/checkpoint.ts"),
    move: () => import("./commands/move.ts"),
    rename: () => import("./commands/rename.ts"),
    delete: () => import("./commands/delete.ts"),
    tag: () => import("./commands/tag.ts"),
    rescue: () => import("./commands/rescue.ts"),
    handoff: () => import("./commands/handoff.ts"),
    import: () => import("./commands/import.ts"),
    undo: () => import("./commands/undo.ts"),
    history: () => import("./commands/history.ts"),
  },
  Report: {
    chronicle: () => import("./commands/chronicle.ts"),
    board: () => import("./commands/board.ts"),
  },
  Continue: {
    chat: () => import("./commands/chat.ts"),
    resume: () => import("./commands/resume.ts"),
  },
  Maintain: {
    index: () => import("./commands/index.ts"),
    doctor: () => import("./commands/doctor.ts"),
    secrets: () => import("./commands/secrets.ts"),
    migrate: () => import("./commands/migrate.ts"),
    config: () => import("./commands/config.ts"),
  },
  Serve: {
    serve: () => import("./commands/serve.ts"),
    mcp: () => import("./commands/mcp.ts"),
    hub: () => import("./commands/hub.ts"),
    sync: () => import("./commands/sync.ts"),
  },
  Start: {
    demo: () => import("./commands/demo.ts"),
    completion: () => import("./commands/completion.ts"),
    help: () => import("./commands/help.ts"),
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
