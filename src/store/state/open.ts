/**
 * Opens state.db: what is recorded nowhere else (lineage, journal, archive, tags, context board, sync). It cannot be
 * recreated, so it is never set aside, replaced or repaired automatically.
 */
import { join } from "node:path";
import { AppError } from "../../model/errors.ts";
import { isFolder, isThere, makeFolder } from "../../platform/disk/own-files.ts";
import { type Database, openDatabase } from "../../platform/sqlite/sqlite.ts";
import { isCorrupt, toAppError } from "../faults.ts";
import { migrate } from "../migrate.ts";
import { listVault, vaultFolder } from "../vault/files.ts";
import lineage from "./migrations/0001-lineage.ts";
import journal from "./migrations/0002-journal.ts";
import vault from "./migrations/0003-vault.ts";
import journalOrder from "./migrations/0004-journal-order.ts";
import followups from "./migrations/0005-errands.ts";
import retention from "./migrations/0006-retention.ts";
import earlierBlocks from "./migrations/0007-earlier-blocks.ts";
import tags from "./migrations/0008-tags.ts";
import board from "./migrations/0009-board.ts";
import sync from "./migrations/0010-sync.ts";

const MIGRATIONS = [
  ...[lineage, journal, vault, journalOrder, followups],
  ...[retention, earlierBlocks, tags, board, sync],
];

export const statePath = (folder: string): string => join(folder, "state.db");

export function openState(folder: string, now: () => Date): Database {
  return guarded(folder, () => {
    makeFolder(folder);
    const db = openDatabase(statePath(folder));
    try {
      // Unlike the store, it must survive a power cut to its last transaction.
      db.exec("PRAGMA synchronous = FULL");
      migrate(db, MIGRATIONS, "state.db", now, () => spareEarlier(db, folder));
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Blocks that are there already belong to a state.db that was lost or moved away, and may come back. */
function spareEarlier(db: Database, folder: string): void {
  if (!isFolder(vaultFolder(folder))) return;
  const insert = db.prepare("INSERT INTO earlier_blocks VALUES (?)");
  for (const hash of listVault(folder).hashes) insert.run(hash);
}

/** For reading: if there is no state.db yet, none is created. */
export const openStateIfThere = (folder: string, now: () => Date): Database | undefined =>
  isThere(statePath(folder)) ? openState(folder, now) : undefined;

/** Whatever SQLite says about state.db comes out as something a person can act on. */
export function guarded<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // A text that is no JSON: SQLite does not notice a flipped byte inside a value.
    if (!isCorrupt(error) && !(error instanceof SyntaxError)) throw toAppError(error, statePath(folder));
    throw new AppError(
      "state-damaged",
      `${statePath(folder)} is damaged; it holds what is recorded nowhere else, so it was not changed`,
      "Restore a copy of it from a backup, or move it away to continue without its records",
      error,
    );
  }
}
