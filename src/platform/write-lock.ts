/** One writer at a time: a lock that the system itself lets go of when its holder dies, however it dies. */
import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { SQLITE, sqliteCode } from "./sqlite.ts";

/** Nothing when somebody else has it. SQLite's locks are the only ones that every system has. */
export function takeWriteLock(path: string): (() => void) | undefined {
  closeSync(openSync(path, "a", 0o600));
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
