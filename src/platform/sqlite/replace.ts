/** Puts one database in the place of another, by renaming its file. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { identityOf, renameFile, syncFile, syncFolder } from "../disk/own-files.ts";
import { type Database, isMoved, SQLITE, sqliteCode } from "./sqlite.ts";

/**
 * Closes `db`, the database at `from`, and renames it to `to`; false where that cannot be done safely, and nothing has
 * changed then but that it is closed.
 *
 * SQLite finds the log of a database by the name of its file, so nobody may have the old one open: they would write to the
 * log of the new one. A connection keeps a lock as long as it is open, and the old database is locked against all of them
 * until after the rename. Who opened its file but asked for nothing yet, waits for that lock, and finds that the file has
 * moved (`openDatabase`).
 */
export function renameOver(db: Database, from: string, to: string): boolean {
  // Windows renames no file over one that is open.
  if (process.platform === "win32") return false;
  db.exec("PRAGMA journal_mode = WAL");
  db.close();
  const old = lockAlone(to);
  if (!old) return false;
  try {
    if (statSync(from).dev !== statSync(to).dev) return false;
    syncFile(from);
    renameFile(from, to);
    syncFolder(dirname(to));
    return true;
  } finally {
    old.close();
  }
}

/** A connection that keeps all others out, and has left no log behind; nothing while anybody else has the database open. */
function lockAlone(path: string): Database | undefined {
  const before = identityOf(path);
  if (before === undefined) return undefined;
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    // Both fail while there is another connection.
    db.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    const mode = db.prepare("PRAGMA journal_mode").get()?.journal_mode;
    // Somebody may have been there between the two.
    if (mode === "delete" && identityOf(path) === before) return db;
  } catch (error) {
    // Another process may have put its own in this place since it was opened.
    if (sqliteCode(error) !== SQLITE.BUSY && !isMoved(error)) {
      db.close();
      throw error;
    }
  }
  db.close();
  return undefined;
}
