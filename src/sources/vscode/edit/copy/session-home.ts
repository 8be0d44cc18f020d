/** Where a session lives: the folder of its file, the database that lists it, and what else is kept about it. */
import { basename, dirname, join } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import type { Entry } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { entryAt, leadsToNeighbour, readTreeThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import {
  DATABASE,
  editingStateIn,
  NO_WORKSPACE,
  nameFrom,
  resourcesIn,
  storeFolderOf,
  transcriptIn,
} from "../../index-db/stores.ts";

export interface Home {
  /** All about one workspace; nothing for windows without a folder. */
  readonly folder?: string;
  /** Where session files are written. */
  readonly sessions: string;
  readonly database: string;
}

/** Beside what belongs to the user, where VS Code looks into what it knows by name. */
export const stagingDir = (root: string): string => join(root, ".rethread");

export function homeOf({ path, root }: Pick<Artifact, "path" | "root">): Home {
  const folder = storeFolderOf(path);
  if (folder !== undefined && basename(folder) !== NO_WORKSPACE) return homeIn(folder);
  // Long ago, windows without a folder kept theirs among the workspaces.
  const global = folder === undefined ? dirname(dirname(path)) : join(root, "globalStorage");
  return { sessions: join(global, "emptyWindowChatSessions"), database: join(global, DATABASE) };
}

export const homeIn = (folder: string): Home => ({
  folder,
  sessions: join(folder, "chatSessions"),
  database: join(folder, DATABASE),
});

/** What is there of a session beside the list, each with all that is below it, outermost first. */
export async function traces(
  fs: SessionFs,
  { id, path }: Artifact,
  { folder, sessions }: Home,
): Promise<Entry[][]> {
  const beside = folder === undefined ? [] : [transcriptIn(folder, id), resourcesIn(folder, id)];
  const editing = folder === undefined ? [] : [dirname(editingStateIn(folder, id))];
  const name = nameFrom(id);
  const own = new Set([path, join(sessions, `${name}.jsonl`), join(sessions, `${name}.json`)]);
  const found: Entry[][] = [];
  for (const each of [...own, ...editing, ...beside.filter((other) => !own.has(other))]) {
    const entries = await ownTree(fs, each);
    if (entries.length > 0) found.push(entries);
  }
  return found;
}

/** Seen through a link, but for one that leads to another chat of the same folder: that one stays. */
async function ownTree(fs: SessionFs, path: string): Promise<Entry[]> {
  if (!(await leadsToNeighbour(fs, path))) return readTreeThrough(fs, path);
  const link = await entryAt(fs, path);
  return link ? [link] : [];
}

/** Names of files and folders come from there, and must stay in their folder. */
export function checkId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id)) return id;
  throw new AppError("usage", `"${id}" is not a session id`, "Use an id that rethread list shows");
}
