/** A write lock that the system releases when its holder dies. */
import { hash } from "node:crypto";
import { closeSync, lstatSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError } from "../../model/errors.ts";
import { nearestThere } from "../disk/own-files.ts";
import { openOwn } from "../disk/ownership.ts";
import { isErrno, reasonOf } from "../fs/session-fs.ts";
import { isOutOfSpace, SQLITE, sqliteCode } from "../sqlite/sqlite.ts";
import { lockFolderFor } from "./lock-folder.ts";

/** Undefined when another process has it. SQLite's locks are the only ones that every system has. */
export function takeWriteLock(path: string): (() => void) | undefined {
  try {
    // Only where there is none: closing a file gives up every lock that this process has on it, in another place, too.
    if (!lstatSync(path, { throwIfNoEntry: false })) closeSync(openOwn(path, "a", 0o600));
    const found = lstatSync(path);
    // A link in this place must not decide which file is opened and locked.
    if (!found.isFile())
      throw Object.assign(new Error("no file"), { code: found.isDirectory() ? "EISDIR" : "ELOOP" });
    return lock(path);
  } catch (error) {
    if (sqliteCode(error) === SQLITE.BUSY) return undefined;
    throw unusable(path, error);
  }
}

function lock(path: string): () => void {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
    return () => db.close();
  } catch (error) {
    db.close();
    throw error;
  }
}

function unusable(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error && "code" in cause)) return cause;
  if (isOutOfSpace(cause) || isErrno(cause, "ENOSPC", "EDQUOT"))
    return new AppError(
      "disk-full",
      `No space is left to write ${path}`,
      "Free some space and run the command again",
      cause,
    );
  const code = sqliteCode(cause);
  const isOther = isErrno(cause, "EISDIR", "ELOOP") || code === SQLITE.NOTADB || code === SQLITE.CORRUPT;
  return new AppError(
    "store-unusable",
    isOther ? `${path} is not a lock file` : `${path} cannot be opened for writing: ${reasonOf(cause)}`,
    isOther
      ? "Move it away; a new one is created, and it holds no data"
      : "Set RETHREAD_HOME to a folder that you can write to",
    cause,
  );
}

/** Whether a process has it now. */
export function isLocked(path: string): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })) return false;
  const unlock = takeWriteLock(path);
  unlock?.();
  return unlock === undefined;
}

/**
 * The lock of a folder or file for everybody who may write to it, whatever their own data folders are. `own` is ours, for where
 * there is no better place. Where the folders for temporary files differ between two, they have no lock in common.
 */
export function lockFor(folder: string, own: string): string {
  const path = resolve(folder);
  const there = nearestThere(path);
  const name = hash("sha256", realpathSync(there) + path.slice(there.length)).slice(0, 32);
  return join(lockFolderFor(there, own), name);
}

const LOOK_AGAIN_MS = 25;

/**
 * Undefined when another holder keeps it all that time. The holder may be in this process, so waiting must not block
 * it.
 */
export async function waitForWriteLock(path: string, patienceMs: number): Promise<(() => void) | undefined> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const unlock = takeWriteLock(path);
    if (unlock || performance.now() >= until) return unlock;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
