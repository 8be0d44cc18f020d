/** Keeps a connection to the store from one piece of work to the next: opening one takes as long as a quick question. */
import { type Database, versionOf } from "../platform/sqlite/sqlite.ts";
import { openStore, type StoreOptions, storeIdentity, upToDate } from "./open.ts";

export interface KeptStore {
  /** A connection that nobody else uses. */
  take(options: StoreOptions): Database;
  /** After work that went well. One on which something failed is to be closed instead. */
  giveBack(db: Database): void;
  /** From now on each is closed when it is given back. */
  close(): void;
}

/** While somebody reads pages they ask again within that; then what it holds of the disk and of memory is let go. */
const KEPT_MS = 5000;

export function createKeptStore(keptMs = KEPT_MS): KeptStore {
  let kept: { readonly db: Database; readonly version: number; readonly timer: NodeJS.Timeout } | undefined;
  /** Which file each connection was opened on. */
  const files = new WeakMap<Database, number | undefined>();
  let isClosed = false;
  const letGo = (): void => {
    clearTimeout(kept?.timer);
    kept?.db.close();
    kept = undefined;
  };
  const takeKept = ({ folder, now }: StoreOptions): Database | undefined => {
    if (!kept) return undefined;
    const { db, version, timer } = kept;
    // The store was deleted, set aside or replaced by another.
    if (files.get(db) !== storeIdentity(folder)) {
      letGo();
      return undefined;
    }
    clearTimeout(timer);
    kept = undefined;
    try {
      // Whoever has written since may be a newer version of this program.
      if (versionOf(db) !== version) upToDate(db, now);
      return db;
    } catch {
      if (db.isOpen) db.close();
      return undefined; // opening it anew tells what is wrong, and sets a corrupt one aside
    }
  };
  return {
    take(options) {
      const known = takeKept(options);
      if (known) return known;
      const db = openStore(options);
      files.set(db, storeIdentity(options.folder));
      return db;
    },
    giveBack(db) {
      if (isClosed || kept || db.isTransaction) return db.close();
      kept = { db, version: versionOf(db), timer: setTimeout(letGo, keptMs).unref() };
    },
    close() {
      isClosed = true;
      letGo();
    },
  };
}
