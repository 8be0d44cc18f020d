/**
 * Opens session-store.db: creates it, migrates it, and sets a corrupt one aside, because everything in it can be read
 * again.
 */
import { basename, dirname } from "node:path";
import {
  identityOf,
  makeFolder,
  moveAside,
  removeDatabase,
  removeLeftBehind,
  sizeIfThere,
} from "../platform/disk/own-files.ts";
import { renameOver } from "../platform/sqlite/replace.ts";
import {
  copyInto,
  type Database,
  imageOf,
  openDatabase,
  openExisting,
  openMemoryDatabase,
  openScratchDatabase,
} from "../platform/sqlite/sqlite.ts";
import { isCorrupt, toAppError } from "./faults.ts";
import { migrate } from "./migrate.ts";
import sessions from "./migrations/0001-sessions.ts";
import search from "./migrations/0002-search.ts";
import bookmarks from "./migrations/0003-bookmarks.ts";
import heads from "./migrations/0004-heads.ts";
import vanished from "./migrations/0005-vanished.ts";
import fileEvidence from "./migrations/0006-file-evidence.ts";
import searchWords from "./migrations/0007-search-words.ts";
import views from "./migrations/0008-views.ts";
import turnRanges from "./migrations/0009-turn-ranges.ts";
import folders from "./migrations/0010-folders.ts";
import sidecars from "./migrations/0011-sidecars.ts";
import names from "./migrations/0012-names.ts";
import copies from "./migrations/0013-copies.ts";
import contextItems from "./migrations/0014-context-items.ts";
import outline from "./migrations/0015-outline.ts";
import lists from "./migrations/0016-lists.ts";
import turnSizes from "./migrations/0017-turn-sizes.ts";
import tags from "./migrations/0018-tags.ts";
import fileNames from "./migrations/0019-file-names.ts";
import turnPlaces from "./migrations/0020-turn-places.ts";
import board from "./migrations/0021-board.ts";
import callCopies from "./migrations/0022-call-copies.ts";
import sweeps from "./migrations/0023-sweeps.ts";
import tallies from "./migrations/0024-tallies.ts";
import handedFrom from "./migrations/0025-handed-from.ts";
import sessionNumbers from "./migrations/0026-session-numbers.ts";
import { storePath } from "./path.ts";

const MIGRATIONS = [
  sessions,
  search,
  bookmarks,
  heads,
  vanished,
  fileEvidence,
  searchWords,
  views,
  turnRanges,
  folders,
  sidecars,
  names,
  copies,
  contextItems,
  outline,
  lists,
  turnSizes,
  tags,
  fileNames,
  turnPlaces,
  board,
  callCopies,
  sweeps,
  tallies,
  handedFrom,
  sessionNumbers,
];

export interface StoreOptions {
  /** Our data folder. */
  readonly folder: string;
  readonly now: () => Date;
  /** Called with a sentence about what had to be done to get a usable store. */
  readonly notice: (sentence: string) => void;
}

export { storePath };

export function openStore(options: StoreOptions): Database {
  const path = storePath(options.folder);
  try {
    makeFolder(dirname(path));
    const file = identityOf(path);
    try {
      return openMigrated(path, options.now);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      setStoreAside(options, file);
      return openMigrated(path, options.now);
    }
  } catch (error) {
    throw toAppError(error, path);
  }
}

/** Which file the store is now; see `setStoreAside`. */
export const storeIdentity = (folder: string): number | undefined => identityOf(storePath(folder));

/** Only the very file that was found to be corrupt: another process may have put a good one in its place meanwhile. */
export function setStoreAside(options: StoreOptions, corrupt: number | undefined): void {
  const path = storePath(options.folder);
  if (identityOf(path) !== corrupt) return;
  const aside = moveAside(path, `corrupt-${stamp(options.now())}`);
  options.notice(
    `session-store.db was damaged; it is kept as ${aside}, and a new one is built from the agents' files`,
  );
}

export interface OpenScratch {
  readonly db: Database;
  /** Replaces the store; processes that have the old one open continue with the new rows. */
  replaceStore(): Promise<void>;
  discard(): void;
}

/** For a store beside it. Nothing of a large one: it is held in memory, and one that lost its sessions keeps its size. */
export const imageOfStore = (db: Database, folder: string): Uint8Array | undefined =>
  (sizeIfThere(storePath(folder)) ?? 0) < 1 << 20 ? imageOf(db) : undefined;

/**
 * A store in a separate file, for a rebuild: fast, because no other process uses it and a crash loses nothing. Begins as
 * what `empty` is, a store without sessions, which spares making one.
 */
export function openScratchStore(folder: string, now: () => Date, empty?: Uint8Array): OpenScratch {
  const prefix = `${storePath(folder)}.rebuild-`;
  const path = `${prefix}${process.pid}`;
  try {
    makeFolder(folder);
    removeLeftBehind(folder, basename(prefix));
    removeDatabase(path);
    const db = openScratchDatabase(path, empty);
    migrate(db, MIGRATIONS, path, now);
    const restoreIndexes = dropIndexes(db);
    // Larger pieces, merged once at the end instead of all along.
    tuneSearch(db, { hashsize: 8 << 20, automerge: 0 });
    return {
      db,
      async replaceStore() {
        tuneSearch(db, { hashsize: 1 << 20, automerge: 4 });
        restoreIndexes();
        try {
          // Opening it first sets a corrupt one aside; copying over it would fail.
          openStore({ folder, now, notice: () => undefined }).close();
          if (renameOver(db, path, storePath(folder))) return;
          // Another process asks it right now.
          const again = openExisting(path);
          try {
            await copyInto(again, storePath(folder));
          } finally {
            again.close();
          }
        } catch (error) {
          throw toAppError(error, storePath(folder));
        }
      },
      discard() {
        if (db.isOpen) db.close();
        removeDatabase(path);
      },
    };
  } catch (error) {
    throw toAppError(error, path);
  }
}

/** The problems of each session are counted while sessions are written; without this index that reads all of them. */
const NEEDED_INDEX = "idx_problems_session";

/** Sorting all rows once at the end is faster than finding the place of each; those behind a UNIQUE must stay. */
function dropIndexes(db: Database): () => void {
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND name <> ?")
    .all(NEEDED_INDEX);
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  return () => {
    for (const { sql } of indexes) db.exec(String(sql));
  };
}

function tuneSearch(db: Database, options: Readonly<Record<string, number>>): void {
  const set = db.prepare("INSERT INTO search_index (search_index, rank) VALUES (?, ?)");
  // As a BigInt: a plain number is bound as a floating-point one, which FTS5 does not take.
  for (const [name, value] of Object.entries(options)) set.run(name, BigInt(value));
}

/** Of an empty store. To make one takes longer than to fill it with most sessions. */
let emptyImage: Uint8Array | undefined;

/** A store that nobody else sees and nothing remains of, for rows that are taken elsewhere. */
export function openMemoryStore(now: () => Date): Database {
  if (emptyImage) return openMemoryDatabase(emptyImage);
  const db = upToDate(openMemoryDatabase(), now);
  emptyImage = imageOf(db);
  return db;
}

function openMigrated(path: string, now: () => Date): Database {
  return upToDate(openDatabase(path), now);
}

/** The same connection, with the schema that this version knows; closed where that cannot be had. */
export function upToDate(db: Database, now: () => Date): Database {
  try {
    migrate(db, MIGRATIONS, "session-store.db", now);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const stamp = (date: Date): string => date.toISOString().replace(/[-:]/g, "").slice(0, 15);
