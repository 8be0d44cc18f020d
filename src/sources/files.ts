/** Lists the files that belong to a session, for whoever keeps copies of them. */
import { isErrno, type SessionFs } from "../platform/session-fs.ts";

/** Deeper than any agent's folders; a link may lead in a circle. */
const DEEPEST = 8;

/** Every file below a folder; nothing where there is no such folder, or it may not be entered. */
export async function filesBelow(
  fs: Pick<SessionFs, "readdir">,
  folder: string,
  join: (folder: string, name: string) => string,
  depth = 0,
): Promise<string[]> {
  if (depth > DEEPEST) return [];
  const files: string[] = [];
  for (const { name, kind } of await entriesOf(fs, folder)) {
    const path = join(folder, name);
    if (kind === "file") files.push(path);
    if (kind === "folder") files.push(...(await filesBelow(fs, path, join, depth + 1)));
  }
  return files;
}

export async function whichExist(fs: Pick<SessionFs, "exists">, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if (await fs.exists(path)) found.push(path);
  return found;
}

async function entriesOf(fs: Pick<SessionFs, "readdir">, folder: string) {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    // Nothing to copy; that a folder is closed to us is reported by the reading of the session.
    if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP")) throw error;
    return [];
  }
}
