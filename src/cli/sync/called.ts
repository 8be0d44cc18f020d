/** What every action of `rethread sync` is given, and what all of them do alike. */
import { resolve } from "node:path";
import { parseWhen } from "../../model/values/when.ts";
import type { GLOBAL_ARGS, Values } from "../args.ts";
import type { Invocation } from "../command.ts";
import type { SYNC_ARGS } from "../commands/serve/sync.ts";
import { toFolder } from "../filters.ts";

export type SyncArgs = Values<typeof SYNC_ARGS> & Values<typeof GLOBAL_ARGS>;

export interface SyncCall extends Omit<Invocation<typeof SYNC_ARGS>, "args"> {
  readonly args: SyncArgs;
  /** Behind the action's name: sessions or repositories. */
  readonly names: readonly string[];
}

export type SyncAct = (called: SyncCall) => Promise<number>;

/** Which sessions are meant. */
export const pushFilter = ({ args, names, config }: SyncCall) => ({
  ...(names.length > 0 && { sessions: names }),
  ...(args.repo !== undefined && { repository: args.repo }),
  ...(args.since !== undefined && { since: parseWhen(args.since, "start", config.now()) }),
});

/** From here where it is relative; what begins with a star may be anywhere. */
export const folderOf = (text: string, { config }: Pick<SyncCall, "config">): string =>
  text.startsWith("*")
    ? text
    : resolve(config.folder, toFolder(text, config.folder, config.environment.homeDir));
