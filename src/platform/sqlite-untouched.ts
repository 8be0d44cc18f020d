/** Reads a SQLite file so that neither it nor anything beside it changes, as far as SQLite makes that possible. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Database } from "./sqlite.ts";

/** What SQLite asks an authorizer for, and what it may answer. */
export { constants as authorizer } from "node:sqlite";

export interface LookOptions {
  readonly limits: NonNullable<DatabaseSyncOptions["limits"]>;
  /** PRAGMAs that hold for the connection. */
  readonly setup: string;
}

/** What lies on disk: the database, and the files in which SQLite keeps what is not yet in it. */
interface Surroundings {
  /** Size, time and inode; different after any write that reached the main file. */
  readonly main: string;
  readonly walBytes: number;
  readonly shm: boolean;
  readonly journal: boolean;
}

/**
 * Calls `look` with the database in one read transaction, opened in the quietest way that is correct:
 *
 * 1. Everything is in the main file: `immutable`, which takes no locks and makes no files. That is a bet on nobody
 *    writing meanwhile; if somebody did, the answer is thrown away and `look` is called again.
 * 2. There is a write-ahead log and its index: `readonly_shm`, which follows the log without marking its place in it.
 * 3. Otherwise as SQLite does by itself: it makes or updates the `-shm` file, the way readers tell writers that they
 *    are there. The database and the log are not written in any case.
 */
export function lookUntouched<T>(file: string, options: LookOptions, look: (db: Database) => T): T {
  // SQLite keeps its logs beside the file itself, not beside a link to it.
  const path = existsSync(file) ? realpathSync(file) : file;
  const before = survey(path);
  if (before.walBytes === 0 && !before.journal) {
    const bet = attempt(() => lookIn(path, "immutable=1", options, look));
    if (isSettled(before, survey(path))) return bet();
  } else if (before.walBytes > 0 && before.shm) {
    const db = openQuietly(path, options);
    if (db) return lookAndClose(db, look);
  }
  return lookIn(path, "", options, look);
}

function lookIn<T>(path: string, query: string, options: LookOptions, look: (db: Database) => T): T {
  return lookAndClose(open(path, query, options), look);
}

function lookAndClose<T>(db: Database, look: (db: Database) => T): T {
  try {
    return look(db);
  } finally {
    db.close();
  }
}

/** Nothing when SQLite cannot follow this log without marking its place; the ordinary way can. */
function openQuietly(path: string, options: LookOptions): Database | undefined {
  try {
    return open(path, "readonly_shm=1", options);
  } catch {
    return undefined; // a lasting reason shows again, and is reported, when it is opened the ordinary way
  }
}

function open(path: string, query: string, options: LookOptions): Database {
  const url = pathToFileURL(path);
  url.search = query;
  const db = new DatabaseSync(url, {
    readOnly: true,
    defensive: true,
    timeout: 2000,
    limits: options.limits,
  });
  try {
    db.exec(options.setup);
    // SQLite opens lazily: the first read inside the transaction is what takes the snapshot.
    db.exec("BEGIN; SELECT count(*) FROM sqlite_schema;");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function survey(path: string): Surroundings {
  const main = statSync(path, { bigint: true, throwIfNoEntry: false });
  return {
    main: main ? `${main.ino} ${main.size} ${main.mtimeNs}` : "",
    walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    shm: statSync(`${path}-shm`, { throwIfNoEntry: false }) !== undefined,
    journal: statSync(`${path}-journal`, { throwIfNoEntry: false }) !== undefined,
  };
}

/** A log that has appeared is no matter in itself: what was read is what the main file said before it. */
function isSettled(before: Surroundings, after: Surroundings): boolean {
  return before.main === after.main && !after.journal;
}

/** Keeps how a call ended, so that the decision whether that counts can be taken after it. */
function attempt<T>(call: () => T): () => T {
  try {
    const value = call();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
