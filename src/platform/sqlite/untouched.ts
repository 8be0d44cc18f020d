/** Reads a SQLite file so that neither it nor anything beside it changes. */
import { chmodSync, constants, copyFileSync, existsSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { makeTemporaryFolder } from "../disk/temporary.ts";
import { type Database, pause, refusePipes, SQLITE } from "./sqlite.ts";

/** What SQLite asks an authorizer for, and what it may answer. */
export { constants as authorizer } from "node:sqlite";
export type { Database };

export interface LookOptions {
  readonly limits: NonNullable<DatabaseSyncOptions["limits"]>;
  /** PRAGMAs that hold for the connection. */
  readonly setup: string;
}

/** The database and the files in which SQLite keeps what is not yet in it: size, time and inode, empty without one. */
interface Surroundings {
  readonly main: string;
  readonly wal: string;
  readonly shm: string;
  readonly journal: string;
}

/** How often it is tried to find a moment in which nobody writes, and the time in between. */
const TRIES = 5;
const PAUSE_MS = 50;

/**
 * Calls `look` with the database in one read transaction, opened in the quietest way that is correct:
 *
 * 1. Everything is in the main file: `immutable`, which takes no locks and makes no files. That is a bet on nobody
 *    writing meanwhile; if somebody did, the answer is thrown away and `look` is called again.
 * 2. There is a write-ahead log and its index: `readonly_shm`, which follows the log without marking its place in it.
 * 3. A log without its index, or a journal by which an interrupted write has yet to be undone: SQLite would write
 *    before it reads, so it does that to a copy in a folder of ours. The copy is good if nothing changed meanwhile.
 */
export function lookUntouched<T>(file: string, options: LookOptions, look: (db: Database) => T): T {
  // SQLite keeps its logs beside the file itself, not beside a link to it.
  const path = existsSync(file) ? realpathSync(file) : file;
  for (let tried = 0; tried < TRIES; tried++) {
    if (tried > 0) pause(PAUSE_MS);
    refusePipes(path);
    const before = survey(path);
    if (before.wal === "" && before.journal === "") {
      const bet = attempt(() => lookIn(path, "immutable=1", options, look));
      if (isSettled(before, survey(path))) return bet();
      continue;
    }
    const hasIndex = before.wal !== "" && before.shm !== "";
    const quiet = hasIndex ? openQuietly(path, options) : undefined;
    // Another database may have taken its place before it was locked, and with that its log.
    if (quiet && numberOf(survey(path)) === numberOf(before)) return lookAndClose(quiet, look);
    quiet?.close();
    if (quiet) continue;
    const copied = lookInCopy(path, before, options, look);
    if (copied) return copied();
  }
  throw Object.assign(new Error("database is locked"), { errcode: SQLITE.BUSY });
}

/** One short look into an agent's database. */
export const peek = <T>(path: string, look: (db: Database) => T): T =>
  lookUntouched(path, { limits: {}, setup: "" }, look);

export interface Opened {
  readonly db: Database;
  close(): void;
}

/** Opens a private copy, for readers that take longer than other programs can wait. */
export function openCopy(file: string): Opened {
  const path = existsSync(file) ? realpathSync(file) : file;
  for (let tried = 0; tried < TRIES; tried++) {
    if (tried > 0) pause(PAUSE_MS);
    refusePipes(path);
    const before = survey(path);
    const folder = makeTemporaryFolder();
    const discard = (): void => rmSync(folder, { recursive: true, force: true });
    const opening = attempt(() => {
      const copy = join(folder, "copy.db");
      copyDatabase(path, copy);
      recover(copy);
      return open(copy, "immutable=1", { limits: {}, setup: "" });
    });
    const isWhole = isSame(before, survey(path));
    // At once, so that nothing is left behind by a process that is killed; but Windows keeps what is open.
    if (!isWhole || process.platform !== "win32") discard();
    if (!isWhole) continue;
    const db = opening();
    return {
      db,
      close() {
        db.close();
        discard();
      },
    };
  }
  throw Object.assign(new Error("database is locked"), { errcode: SQLITE.BUSY });
}

/** Undefined when the database was written while the copy was made. */
function lookInCopy<T>(
  path: string,
  before: Surroundings,
  options: LookOptions,
  look: (db: Database) => T,
): (() => T) | undefined {
  const folder = makeTemporaryFolder();
  try {
    const copy = join(folder, "copy.db");
    const copying = attempt(() => copyDatabase(path, copy));
    if (!isSame(before, survey(path))) return undefined;
    copying();
    return attempt(() => {
      recover(copy);
      return lookIn(copy, "", options, look);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyDatabase(from: string, to: string): void {
  for (const companion of ["", "-wal", "-journal"]) {
    if (!existsSync(from + companion)) continue;
    copyFileSync(from + companion, to + companion, constants.COPYFILE_FICLONE);
    chmodSync(to + companion, 0o600); // it may be a copy of what nobody may write
  }
}

/** Only a connection that may write undoes an interrupted write. */
function recover(path: string): void {
  const db = new DatabaseSync(path);
  try {
    db.exec("SELECT count(*) FROM sqlite_schema");
  } finally {
    db.close();
  }
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

/** Nothing when SQLite cannot follow this log without marking its place. */
function openQuietly(path: string, options: LookOptions): Database | undefined {
  try {
    return open(path, "readonly_shm=1", options);
  } catch {
    return undefined; // a lasting reason shows again, and is reported, when its copy is opened
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
  const identify = (companion: string): string => {
    const stats = statSync(path + companion, { bigint: true, throwIfNoEntry: false });
    return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : "";
  };
  // Nothing is kept in a log of no length.
  const log = (companion: string): string => {
    const identity = identify(companion);
    return identity.split(" ")[1] === "0" ? "" : identity;
  };
  return { main: identify(""), wal: log("-wal"), shm: identify("-shm"), journal: log("-journal") };
}

/** Of the file itself, whatever is written to it. */
const numberOf = ({ main }: Surroundings): string | undefined => main.split(" ")[0];

/** A log that has appeared is no matter in itself: what was read is what the main file said before it. */
const isSettled = (before: Surroundings, after: Surroundings): boolean =>
  before.main === after.main && after.journal === "";

const isSame = (before: Surroundings, after: Surroundings): boolean =>
  before.main === after.main && before.wal === after.wal && before.journal === after.journal;

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
