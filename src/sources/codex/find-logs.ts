/** Finds logs by their names, below the folders of days and in the archive. */
import { join } from "node:path";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import { archiveFolder, parseLogName, sessionsFolder } from "./locate.ts";

/** Years, months and days. */
const LEVELS = 3;

export interface LogWalk {
  file(path: string): void | Promise<void>;
  /** A folder or an entry that cannot be looked into. */
  failed?(path: string, error: unknown): void;
}

/** Visits every file that may be a log, however it is called; a folder that is not there has none. */
export async function eachLogFile(fs: SessionFs, root: string, walk: LogWalk): Promise<void> {
  await visit(fs, sessionsFolder(root), LEVELS, walk);
  await visit(fs, archiveFolder(root), 0, walk);
}

async function visit(fs: SessionFs, folder: string, levels: number, walk: LogWalk): Promise<void> {
  for (const { name, kind } of await entriesOf(fs, folder, walk)) {
    const path = join(folder, name);
    if (kind === "folder" && levels > 0) await visit(fs, path, levels - 1, walk);
    else if (kind === "other" && levels > 0 && !name.includes("."))
      walk.failed?.(path, new Error("the link leads nowhere or to itself"));
    else if (name.startsWith("rollout-")) await walk.file(path);
  }
}

async function entriesOf(fs: SessionFs, folder: string, walk: LogWalk) {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (!isErrno(error, "ENOENT")) walk.failed?.(folder, error);
    return [];
  }
}

const DAY_MS = 86_400_000;

/** The log with this id. Its name has its day, and ids begin with the time, so that one folder is usually enough. */
export async function findLog(fs: SessionFs, root: string, id: string): Promise<string | undefined> {
  const born = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
  // Folders are named by the local day of whoever wrote them.
  for (const offset of Number.isFinite(born) ? [0, -1, 1] : []) {
    const day = new Date(Math.min(born + offset * DAY_MS, 8.64e15)).toISOString().slice(0, 10);
    const found = await among(fs, join(sessionsFolder(root), ...day.split("-")), id);
    if (found !== undefined) return found;
  }
  let found: string | undefined;
  await eachLogFile(fs, root, {
    file(path) {
      if (isLog(path, id)) found ??= path;
    },
  });
  return found;
}

async function among(fs: SessionFs, folder: string, id: string): Promise<string | undefined> {
  const entries = await entriesOf(fs, folder, { file: () => undefined });
  const entry = entries.find(({ name }) => isLog(name, id));
  return entry && join(folder, entry.name);
}

function isLog(path: string, id: string): boolean {
  const name = parseLogName(path);
  return name?.log === id.toLowerCase() && !name.isCompressed;
}
