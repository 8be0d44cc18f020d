/** Builds the store anew beside the old one, then puts it in its place in one step. */
import type { Catalog } from "../sources/catalog.ts";
import { carryOver } from "../store/carry-over.ts";
import { isCorrupt } from "../store/faults.ts";
import {
  type OpenScratch,
  openScratchStore,
  openStore,
  type StoreOptions,
  setStoreAside,
  storeIdentity,
} from "../store/open.ts";
import { createSessionStore, type SessionStore } from "../store/session-store.ts";
import { type RefreshOptions, type RefreshResult, refresh } from "./refresh.ts";

/** Nobody else sees the new file before it is whole; the old one answers questions until then. */
export async function rebuild(
  catalog: Catalog,
  folder: string,
  options: RefreshOptions,
  notice: (sentence: string) => void = () => undefined,
): Promise<RefreshResult> {
  const old: StoreOptions = { folder, now: options.now, notice };
  // First of all, because it refuses what a newer version wrote, and sets a corrupt one aside.
  openStore(old).close();
  const scratch: OpenScratch = openScratchStore(folder, options.now);
  try {
    const store = createSessionStore(scratch.db);
    const result = await refresh(catalog, store, { ...options, isThorough: true });
    if (result.pending > 0) return result; // stopped half-way: the old one knows more
    if (options.vanished !== "remove") carryOverFrom(old, store);
    await scratch.replaceStore();
    return result;
  } finally {
    scratch.discard();
  }
}

/** What a corrupt store knew is still in the file that is set aside. */
function carryOverFrom(old: StoreOptions, store: SessionStore): void {
  const db = openStore(old);
  const file = storeIdentity(old.folder);
  try {
    carryOver(db, store);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    db.close();
    setStoreAside(old, file);
  } finally {
    if (db.isOpen) db.close();
  }
}
