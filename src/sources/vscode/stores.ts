/** The stores below a root: one for every workspace that was ever open, and one for windows without a folder. */
import { join } from "node:path";
import { type FolderEntry, isErrno, reasonOf, type SessionFs } from "../../platform/session-fs.ts";

export interface Store {
  /** The folder that holds everything about one workspace; undefined for windows without a folder. */
  readonly folder?: string;
  /** Where its session files are; the first one counts, others are looked at when it lacks a file. */
  readonly sessions: readonly string[];
  /** The database that holds the list of sessions. */
  readonly database: string;
}

/** Told of a folder that cannot be listed. */
export type Refused = (path: string, reason: string) => void;

/** Never throws: a folder that cannot be listed is told to `refused`. */
export async function findStores(fs: SessionFs, root: string, refused: Refused): Promise<Store[]> {
  const names = await list(fs, root, "folder", refused);
  if (names.length === 0) return [];
  const isUserFolder = names.includes("workspaceStorage") || names.includes("globalStorage");
  const home = isUserFolder ? join(root, "workspaceStorage") : root;
  const stores: Store[] = [];
  for (const name of isUserFolder ? await list(fs, home, "folder", refused) : names) {
    if (name === "no-workspace") continue;
    const folder = join(home, name);
    stores.push({ folder, sessions: [join(folder, "chatSessions")], database: join(folder, "state.vscdb") });
  }
  const global = join(root, "globalStorage");
  stores.push({
    sessions: [join(global, "emptyWindowChatSessions"), join(home, "no-workspace", "chatSessions")],
    database: join(global, "state.vscdb"),
  });
  return stores;
}

export interface SessionFile {
  readonly id: string;
  readonly path: string;
  /** The older form of the same session, which VS Code no longer looks at. */
  readonly twin?: string;
}

/** The session files of a store, the one that VS Code would open for each id. */
export async function findSessionFiles(
  fs: SessionFs,
  store: Store,
  refused: Refused,
): Promise<SessionFile[]> {
  const found = new Map<string, SessionFile>();
  for (const folder of store.sessions) {
    const names = await list(fs, folder, "file", refused);
    for (const name of names) {
      const [, id, form] = /^(.+)\.(jsonl|json)$/.exec(name) ?? [];
      if (id === undefined || found.has(id)) continue;
      const path = join(folder, name);
      const hasLog = form === "json" && names.includes(`${id}.jsonl`);
      found.set(id, hasLog ? { id, path: join(folder, `${id}.jsonl`), twin: path } : { id, path });
    }
  }
  return [...found.values()];
}

/** Names of what a folder holds, sorted; a folder that is not there holds nothing. */
async function list(
  fs: SessionFs,
  path: string,
  kind: FolderEntry["kind"],
  refused: Refused,
): Promise<string[]> {
  try {
    return (await fs.readdir(path)).flatMap((entry) => (entry.kind === kind ? [entry.name] : [])).sort();
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR")) refused(path, reasonOf(error));
    return [];
  }
}

/** The store that a session file belongs to, told from its path. */
export const storeFolderOf = (path: string): string | undefined =>
  /^(.*)[\\/](?:chatSessions|GitHub\.copilot-chat[\\/]transcripts)[\\/][^\\/]+$/.exec(path)?.[1];

export const transcriptIn = (folder: string, id: string): string =>
  join(folder, "GitHub.copilot-chat", "transcripts", `${id}.jsonl`);

export const editingStateIn = (folder: string, id: string): string =>
  join(folder, "chatEditingSessions", id, "state.json");
