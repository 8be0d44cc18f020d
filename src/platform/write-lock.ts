/** One writer at a time: a lock that the system itself lets go of when its holder dies, however it dies. */
import { hash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, realpathSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openOwn } from "./ownership.ts";
import { SQLITE, sqliteCode } from "./sqlite.ts";

/** Nothing when somebody else has it. SQLite's locks are the only ones that every system has. */
export function takeWriteLock(path: string): (() => void) | undefined {
  closeSync(openOwn(path, "a", 0o600));
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
    return () => db.close();
  } catch (error) {
    db.close();
    if (sqliteCode(error) === SQLITE.BUSY) return undefined;
    throw error;
  }
}

/**
 * The lock of a folder for everybody on this machine, whatever their own data folders are: in the system's folder for
 * passing things, so that none appears in the folder itself. Where that differs between two, they have none in common.
 */
export function lockFor(folder: string): string {
  let there = resolve(folder);
  while (!existsSync(there)) there = dirname(there);
  const name = hash("sha256", realpathSync(there) + resolve(folder).slice(there.length)).slice(0, 32);
  const locks = join(tmpdir(), `rethread-locks-${userInfo().uid}`);
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  return join(locks, name);
}

const LOOK_AGAIN_MS = 25;

/** Nothing when somebody else has it for all that time. Whoever has it may be in this very process, and must get on meanwhile. */
export async function waitForWriteLock(path: string, patienceMs: number): Promise<(() => void) | undefined> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const unlock = takeWriteLock(path);
    if (unlock || performance.now() >= until) return unlock;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
