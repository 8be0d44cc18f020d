/** Who has a session open: the lock files in its folder, held against the processes that run. */
import { isAlive } from "../../platform/processes.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { pidOfLock } from "./locate.ts";
import { listFolder } from "./scan.ts";

/** The program itself believes any lock that names a living process, so we do too. */
export async function findOwner(fs: SessionFs, sessionFolder: string): Promise<number | undefined> {
  // A folder that cannot be listed is reported where it is scanned.
  const entries = await listFolder(fs, sessionFolder, { problem: () => undefined });
  return entries.flatMap(({ name }) => pidOfLock(name) ?? []).find(isAlive);
}
