/** Finds who has a session open: compares the lock files in its folder with the running processes. */

import { type FolderEntry, isErrno, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { judgeLock, type LockState } from "../../../platform/process/lock-owner.ts";
import { createProcessLook, type ProcessLook } from "../../../platform/process/process-look.ts";
import type { OnDisk } from "../../source.ts";
import { listFolder } from "../scan.ts";
import { folderOf, pidOfLock, under } from "./locate.ts";
import { mayHoldSessions } from "./program.ts";

export async function findOwner(
  fs: SessionFs,
  sessionFolder: string,
  look: ProcessLook = createProcessLook(),
  /** What is in the folder, where the caller has listed it. */
  listed?: readonly FolderEntry[],
): Promise<number | undefined> {
  // A folder that cannot be listed is reported where it is scanned.
  const entries = listed ?? (await listFolder(fs, sessionFolder, { problem: () => undefined }));
  for (const { name } of entries) {
    const pid = pidOfLock(name);
    if (pid !== undefined && (await stateOfLock(fs, sessionFolder, name, pid, look)) === "held") return pid;
  }
  return undefined;
}

/** Of a lock, or of the `hold` beside it, on which its owner has a lock of the system. The program believes any living process. */
export async function stateOfLock(
  fs: SessionFs,
  folder: string,
  name: string,
  pid: number,
  look: ProcessLook,
): Promise<LockState> {
  const writtenAt = fs.isDisk ? await timeOf(fs, under(folder, name)) : undefined;
  const hold = fs.isDisk ? { hold: under(folder, `inuse.${pid}.hold`) } : {};
  return judgeLock({ pid, folder, writtenAt, ...hold, isProgram: mayHoldSessions }, look);
}

async function timeOf(fs: SessionFs, path: string): Promise<number | undefined> {
  try {
    return (await fs.stat(path)).mtimeMs;
  } catch (error) {
    if (!isErrno(error, "ENOENT", "EACCES", "EPERM")) throw error;
    return undefined;
  }
}

export async function owners(
  fs: SessionFs,
  _root: string,
  sessions: readonly OnDisk[],
  look?: ProcessLook,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { path } of sessions) {
    const folder = folderOf(path);
    const pid = folder === undefined ? undefined : await findOwner(fs, folder, look);
    if (pid !== undefined) found.set(path, pid);
  }
  return found;
}
