/** One writer at a time: a lock that the system itself lets go of when its holder dies, however it dies. */
import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { SQLITE, sqliteCode } from "./sqlite.ts";

/** Nothing when somebody else has it for all that time. SQLite's locks are the only ones that every system has. */
export function takeWriteLock(path: string, patienceMs: number): (() => void) | undefined {
  closeSync(openSync(path, "a", 0o600));
  const db = new DatabaseSync(path, { timeout: patienceMs });
  try {
    db.exec("BEGIN EXCLUSIVE");
    return () => db.close();
  } catch (error) {
    db.close();
    if (sqliteCode(error) === SQLITE.BUSY) return undefined;
    throw error;
  }
}
