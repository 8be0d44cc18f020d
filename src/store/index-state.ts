/** How much the store holds, and whether somebody is writing to it. */
import { type Database, SQLITE, sqliteCode } from "../platform/sqlite/sqlite.ts";

export interface StoreCounts {
  readonly sessions: number;
  readonly turns: number;
  /** As they were found while indexing. */
  readonly problems: number;
}

export function countStore(db: Database): StoreCounts {
  const row = db
    .prepare(
      "SELECT count(*) AS sessions, coalesce(sum(turn_count), 0) AS turns, coalesce(sum(problem_count), 0) AS problems FROM sessions",
    )
    .get();
  return { sessions: Number(row?.sessions), turns: Number(row?.turns), problems: Number(row?.problems) };
}

/** How many sessions of a source have their files below a folder. */
export function countBelow(db: Database, source: string, folder: string): number {
  const row = db
    .prepare(
      "SELECT count(*) AS n FROM sessions WHERE source = ?1 AND vanished_at IS NULL AND substr(path, 1, length(?2) + 1) IN (?2 || '/', ?2 || '\\')",
    )
    .get(source, folder);
  return Number(row?.n);
}

/** Whether another connection holds the lock of writers at this moment. */
export function isBeingWritten(db: Database): boolean {
  const { timeout } = db.prepare("PRAGMA busy_timeout").get() ?? {};
  db.exec("PRAGMA busy_timeout = 0");
  try {
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
    return false;
  } catch (error) {
    if (sqliteCode(error) !== SQLITE.BUSY) throw error;
    return true;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${Number(timeout)}`);
  }
}
