/**
 * The storage folders below a root: one for every workspace that was ever open, and one for windows without a folder.
 */
import { join } from "node:path";
import { type FolderEntry, isErrno, reasonOf, type SessionFs } from "../../../platform/fs/session-fs.ts";

/** In it, among much else, is the list of sessions. */
export const DATABASE = "state.vscdb";
/** Where windows without a folder had their sessions once, among the workspaces. */
export const NO_WORKSPACE = "no-workspace";

export interface Store {
  /** The folder that holds everything about one workspace; undefined for windows without a folder. */
  readonly folder?: string;
  /** Where its session files are; the first one counts, others are looked at when it lacks a file. */
  readonly sessions: readonly string[];
  /** The database that holds the list of sessions. */
  readonly database: string;
}

/** Called for a folder that exists but cannot be listed. */
export type Refused = (path: string, reason: string) => void;

/** Never throws: a folder that cannot be listed is passed to `refused`. */
export async function findStores(fs: SessionFs, root: string, refused: Refused): Promise<Store[]> {
  const found = await list(fs, root, refused);
  if (found.length === 0) return [];
  const isUserFolder = found.some(({ name }) => name === "workspaceStorage" || name === "globalStorage");
  const home = isUserFolder ? join(root, "workspaceStorage") : root;
  const stores: Store[] = [];
  for (const { name, kind } of isUserFolder ? await list(fs, home, refused) : found) {
    if (name === NO_WORKSPACE) continue;
    const folder = join(home, name);
    if (kind === "other") await tellDeadEnd(fs, folder, refused);
    if (kind !== "folder") continue;
    stores.push({ folder, sessions: [join(folder, "chatSessions")], database: join(folder, DATABASE) });
  }
  const global = join(root, "globalStorage");
  stores.push({
    sessions: [join(global, "emptyWindowChatSessions"), join(home, NO_WORKSPACE, "chatSessions")],
    database: join(global, DATABASE),
  });
  return stores;
}

/** Where the folders of workspaces appear, and the sessions of windows without one. */
export const newSessionFolders = (root: string): string[] => [
  root,
  join(root, "workspaceStorage"),
  join(root, "globalStorage", "emptyWindowChatSessions"),
];

export interface SessionFile {
  readonly id: string;
  readonly path: string;
  /** The older form of the same session, which VS Code no longer looks at. */
  readonly twin?: string;
  /** A log that is no file, so that VS Code takes the older form instead. */
  readonly deadEnd?: string;
}

/** The session files of a store, the one that VS Code would open for each id, whether or not it is a file. */
export async function findSessionFiles(
  fs: SessionFs,
  store: Store,
  refused: Refused,
): Promise<SessionFile[]> {
  const found = new Map<string, SessionFile>();
  for (const folder of store.sessions) {
    const kinds = new Map((await list(fs, folder, refused)).map(({ name, kind }) => [name, kind]));
    for (const name of kinds.keys()) {
      const id = /^(.+)\.jsonl?$/s.exec(name)?.[1];
      if (id !== undefined && !found.has(id)) found.set(id, toSessionFile(folder, id, kinds));
    }
  }
  return [...found.values()];
}

/** VS Code reads the log, and the older document when there is no log or it cannot be opened. */
function toSessionFile(
  folder: string,
  id: string,
  kinds: ReadonlyMap<string, FolderEntry["kind"]>,
): SessionFile {
  const [log, document] = [`${id}.jsonl`, `${id}.json`];
  const [logPath, documentPath] = [join(folder, log), join(folder, document)];
  if (!kinds.has(document)) return { id, path: logPath };
  if (!kinds.has(log)) return { id, path: documentPath };
  return kinds.get(log) === "file"
    ? { id, path: logPath, twin: documentPath }
    : { id, path: documentPath, deadEnd: logPath };
}

/** What a folder holds, sorted by name; a folder that is not there holds nothing. */
async function list(fs: SessionFs, path: string, refused: Refused): Promise<FolderEntry[]> {
  try {
    return (await fs.readdir(path)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const isAbsent = isErrno(error, "ENOENT") || (isErrno(error, "ENOTDIR") && !(await fs.exists(path)));
    if (!isAbsent) refused(path, reasonOf(error));
    return [];
  }
}

/** A link that leads nowhere or in a circle may have led to chats; a socket or a pipe never did. */
async function tellDeadEnd(fs: SessionFs, path: string, refused: Refused): Promise<void> {
  try {
    await fs.stat(path);
  } catch (error) {
    refused(path, reasonOf(error));
  }
}

/** The storage folder that a session file belongs to, by its path. */
export const storeFolderOf = (path: string): string | undefined =>
  /^(.*)[\\/](?:chatSessions|GitHub\.copilot-chat[\\/]transcripts)[\\/][^\\/]+$/s.exec(path)?.[1];

/**
 * What is kept of a session is named after its id, which comes from a list or from a file's name that anybody may have
 * written: none leads out of the folder it is kept in, or stands for that folder itself.
 */
export const nameFrom = (id: string): string => id.replaceAll(/[\\/\0]|^\.*$/g, "%");

export const transcriptIn = (folder: string, id: string): string =>
  join(folder, "GitHub.copilot-chat", "transcripts", `${nameFrom(id)}.jsonl`);

/** Long outputs of tools, which the extension keeps for some hours. */
export const resourcesIn = (folder: string, id: string): string =>
  join(folder, "GitHub.copilot-chat", "chat-session-resources", nameFrom(id));

export const editingStateIn = (folder: string, id: string): string =>
  join(folder, "chatEditingSessions", nameFrom(id), "state.json");
