/** Locks against other rethread processes, including those with another data folder that write to the same agents. */
import { dirname } from "node:path";
import { AppError } from "../../model/errors.ts";
import { type EditPlan, type PlannedSession, sessionsOf } from "../../model/plan.ts";
import { shortId } from "../../model/values/id.ts";
import { realPath } from "../../platform/disk/links.ts";
import { makeFolder } from "../../platform/disk/own-files.ts";
import { isLocked, lockFor, takeWriteLock, waitForWriteLock } from "../../platform/process/write-lock.ts";
import { toAppError } from "../../store/faults.ts";
import { lockPath } from "../undo/recover.ts";

/** So long another rethread may take to finish. */
const PATIENCE_MS = 10_000;

/** The folders whose locks a write takes; what two homes share through links, they share a lock for. */
export function lockedFolders(plan: EditPlan): string[] {
  return [
    plan.hideout,
    ...plan.steps.flatMap(({ hideout }) => hideout ?? []),
    ...sessionsOf(plan).map(({ path }) => folderAround(path)),
  ];
}

/** The folder of all sessions that one is among, wherever links lead. */
const folderAround = (path: string): string => dirname(dirname(realPath(path)));

/**
 * Takes a session for a program that we start on it: until that is given back, no other rethread starts one, and none
 * writes to it. Throws where another has taken it. Waits for a write to the sessions around it, as each write looks for
 * taken sessions once it has its own locks.
 */
export async function claimSession(
  home: string,
  { id, path }: Pick<PlannedSession, "id" | "path">,
): Promise<() => void> {
  const unlock = await lock(lockFor(folderAround(path), home));
  try {
    const release = takeWriteLock(claimOf(home, path));
    if (!release) throw claimed(id);
    return release;
  } finally {
    unlock();
  }
}

export const claimed = (id: string): AppError =>
  new AppError("session-busy", `Another rethread command (chat or resume) is running session ${id}`, {
    say: "Wait for its answer, then run the command again; or work on a copy",
    remedy: { action: "fork", session: shortId(id) },
  });

export const isClaimed = (home: string, { path }: PlannedSession): boolean => isLocked(claimOf(home, path));

const claimOf = (home: string, path: string): string => lockFor(realPath(path), home);

/** Runs `work` with the locks of our folder (created if needed) and of these. */
export async function whileLocked<T>(
  home: string,
  folders: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const unlocks: (() => void)[] = [];
  try {
    // Our lock first, then the others in one order for all processes, so that there is no deadlock.
    unlocks.push(await lockOwn(home));
    const paths = new Set(folders.map((folder) => lockFor(folder, home)));
    for (const path of [...paths].sort()) unlocks.push(await lock(path));
    return await work();
  } finally {
    for (const unlock of unlocks.toReversed()) unlock();
  }
}

/** Runs `work` with the lock of our own folder. */
export async function whileOwnLocked<T>(home: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lockOwn(home);
  try {
    return await work();
  } finally {
    unlock();
  }
}

async function lock(path: string): Promise<() => void> {
  const unlock = await waitForWriteLock(path, PATIENCE_MS);
  if (!unlock) throw writeBusy();
  return unlock;
}

async function lockOwn(home: string): Promise<() => void> {
  try {
    makeFolder(home);
    return await lock(lockPath(home));
  } catch (error) {
    throw toAppError(error, lockPath(home));
  }
}

export const writeBusy = (): AppError =>
  new AppError("write-busy", "Another rethread is writing", "Run the command again in a moment");
