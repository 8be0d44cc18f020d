/** Who has a session open: the lock files in its folder, held against the processes that run. */
import { isAlive } from "../../platform/processes.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import type { OnDisk } from "../source.ts";
import { folderOf, pidOfLock } from "./locate.ts";
import { listFolder } from "./scan.ts";

/** The program itself believes any lock that names a living process, so we do too. */
export async function findOwner(fs: SessionFs, sessionFolder: string): Promise<number | undefined> {
  // A folder that cannot be listed is reported where it is scanned.
  const entries = await listFolder(fs, sessionFolder, { problem: () => undefined });
  return entries.flatMap(({ name }) => pidOfLock(name) ?? []).find(isAlive);
}

export async function owners(
  fs: SessionFs,
  _root: string,
  sessions: readonly OnDisk[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { path } of sessions) {
    const folder = folderOf(path);
    const pid = folder === undefined ? undefined : await findOwner(fs, folder);
    if (pid !== undefined) found.set(path, pid);
  }
  return found;
}
