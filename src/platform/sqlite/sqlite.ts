/**
 * Opens SQLite databases for writing: our own, and an agent's when it is rebuilt. For reading only, see untouched.ts.
 */
import { accessSync, closeSync, constants, type Stats, statSync, writeFileSync } from "node:fs";
import { backup, DatabaseSync, type StatementSync } from "node:sqlite";
import { identityOf } from "../disk/own-files.ts";
import { openOwn } from "../disk/ownership.ts";

export type Database = DatabaseSync;
export type { StatementSync as Statement } from "node:sqlite";

const BUSY_TIMEOUT_MS = 5000;
/** On a disk where one file has another number every time, it is never the same. */
const MOST_TRIES = 5;
/** How often who waits for a lock tries to get it. */
const RETRY_MS = 5;

const COMPANIONS = ["", "-wal", "-shm", "-journal"];

/**
 * SQLite opens whatever is there, and a pipe in the place of a database, or of one of its companions, would let the
 * whole process wait for ever. Folders and links to nowhere it refuses by itself.
 */
export function refusePipes(path: string): void {
  for (const companion of COMPANIONS) {
    const odd = oddKindOf(path + companion);
    if (odd !== undefined)
      throw Object.assign(new Error(`${path}${companion} is ${odd}, not a file`), {
        code: "ERR_SQLITE_ERROR",
        errcode: SQLITE.CANTOPEN,
      });
  }
}

function oddKindOf(path: string): string | undefined {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // SQLite will say why it cannot be opened
  }
  if (!stats || stats.isFile() || stats.isDirectory()) return undefined;
  return stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
}

/** Opens a database of our own: readers never wait for the writer, and a crash costs at most the last transaction. */
export function openDatabase(path: string, timeoutMs = BUSY_TIMEOUT_MS): Database {
  refusePipes(path);
  makePrivate(path);
  const until = performance.now() + timeoutMs;
  for (let tries = 1; ; tries++) {
    const file = identityOf(path);
    const isOther = (): boolean => tries < MOST_TRIES && identityOf(path) !== file;
    const db = new DatabaseSync(path, { timeout: timeoutMs, enableForeignKeyConstraints: true });
    try {
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; SELECT 1 FROM sqlite_schema");
      // It holds a lock now that keeps the file from being replaced (`replace.ts`).
      if (!isOther()) return db;
      db.close();
    } catch (error) {
      db.close();
      // Whatever was wrong with a file that is no longer the database.
      if (isOther()) continue;
      // Of two that give a new database its log at once, SQLite refuses one without waiting.
      if (sqliteCode(error) !== SQLITE.BUSY || performance.now() > until) throw error;
      pause(RETRY_MS);
    }
  }
}

/**
 * Opens a file of our own that nobody else uses and that is thrown away after a crash: no journal, no waiting for the
 * disk. SQLite ignores the request for no journal, without a word, while the connection is defensive, as it is by
 * default in Node. Begins as a copy of `image`, where that is given.
 */
export function openScratchDatabase(path: string, image?: Uint8Array): Database {
  refusePipes(path);
  makePrivate(path);
  if (image) writeFileSync(path, withoutLog(image));
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    setDefensive(db, false);
    const mode = db.prepare("PRAGMA journal_mode = OFF").get()?.journal_mode;
    if (mode !== "off") throw new Error(`${path} keeps its journal (${mode})`);
    db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -16384");
    setDefensive(db, true);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The header says whether there is a log beside the file. */
function withoutLog(image: Uint8Array): Uint8Array {
  const copy = image.slice();
  copy.fill(1, 18, 20);
  return copy;
}

/** Versions of Node that cannot are not defensive by default. */
function setDefensive(db: Database, isOn: boolean): void {
  if (typeof db.enableDefensive === "function") db.enableDefensive(isOn);
}

/** Nothing of it reaches a disk, and it ends with the connection. Begins as a copy of `image`, where that is given. */
export function openMemoryDatabase(image?: Uint8Array): Database {
  const db = new DatabaseSync(":memory:");
  if (image) db.deserialize(image);
  return db;
}

/** All of a database, for copies in memory; nothing before Node 24.16, which cannot. */
export const imageOf = (db: Database): Uint8Array | undefined =>
  typeof db.serialize === "function" ? db.serialize() : undefined;

/**
 * It holds conversations, so only its owner may read it; SQLite gives its companion files the same mode and owner. One that
 * is there is not opened: to close it again would take away the locks of every connection that this process has to it.
 */
function makePrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // To open a folder is refused, in words that say what it is.
  if (!found || found.isDirectory()) closeSync(openOwn(path, "a", 0o600));
  else accessSync(path, constants.R_OK | constants.W_OK);
}

/** Opens a database that is not ours, on the user's request, and keeps its settings. */
export function openExisting(path: string, patienceMs = BUSY_TIMEOUT_MS): Database {
  refusePipes(path);
  return new DatabaseSync(path, { timeout: patienceMs, enableForeignKeyConstraints: true });
}

/** Makes a database that nobody has open one file without companions, which can then be read without making any. */
export function makeSingleFile(path: string): void {
  const db = openExisting(path);
  try {
    db.exec("PRAGMA journal_mode = DELETE");
  } finally {
    db.close();
  }
}

/** Makes the database at `path` a copy of this one, under SQLite's own locks: readers of the old one see it whole. */
export async function copyInto(db: Database, path: string, patienceMs = 10_000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  refusePipes(path);
  makePrivate(path);
  for (;;) {
    try {
      await backup(db, path, { rate: 10_000 });
      return;
    } catch (error) {
      // While another connection writes, Node's backup gives up at once, with an error that says "not an error".
      const isBusy = [0, SQLITE.BUSY].includes(sqliteCode(error) ?? SQLITE.ERROR);
      // The other case: another process has put its own database there (`replace.ts`).
      if (!isBusy && !isMoved(error)) throw error;
      if (performance.now() > deadline) throw Object.assign(error as Error, { errcode: SQLITE.BUSY });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Runs `work` in one transaction that takes the write lock at once, so that it cannot fail half-way on a busy file. */
export function transaction<T>(db: Database, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** Blocks the whole process. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** For how long a busy writer releases the write lock. */
export const WRITERS_PAUSE_MS = 25;

/**
 * Takes the write lock as soon as nobody else has it; false when it is time to stop first. SQLite's own waiting hears
 * no Ctrl-C, and sleeps through the short pauses of somebody who writes on and on.
 */
export async function beginInTurn(
  db: Database,
  patienceMs: number,
  isTimeUp: () => boolean,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  db.exec("PRAGMA busy_timeout = 0");
  try {
    for (;;) {
      try {
        db.exec("BEGIN IMMEDIATE");
        return true;
      } catch (error) {
        if (sqliteCode(error) !== SQLITE.BUSY || performance.now() > deadline) throw error;
      }
      if (isTimeUp()) return false;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/** Compiled once for each connection: asked before and after every piece of work. */
const versions = new WeakMap<Database, StatementSync>();

/** A number that changes when another connection has written. */
export function versionOf(db: Database): number {
  const ask = versions.get(db) ?? db.prepare("PRAGMA data_version");
  versions.set(db, ask);
  return Number(ask.get()?.data_version);
}

/** What whoever made the database says of its form. */
export const userVersionOf = (db: Database): number =>
  Number(db.prepare("PRAGMA user_version").get()?.user_version);

/** SQLite's primary result code behind a thrown error, such as 11 for a corrupt file; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** The disk is full, or a quota or limit is reached: SQLite says so in different ways, depending on where it notices. */
export function isOutOfSpace(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return sqliteCode(error) === SQLITE.FULL || code === IOERR_WRITE || code === IOERR_SHMSIZE;
}

const IOERR_WRITE = 778;
const IOERR_SHMSIZE = 4874;
/** What was opened is no longer the file of that name. */
const READONLY_DBMOVED = 1032;

export const isMoved = (error: unknown): boolean =>
  (error as { errcode?: unknown } | undefined)?.errcode === READONLY_DBMOVED;

export const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  AUTH: 23,
  NOTADB: 26,
} as const;
