/** Builds the store anew beside the old one, then puts it in its place in one step. */
import type { Catalog } from "../sources/catalog.ts";
import { type CarriedOver, type CarryOverOptions, carryOver } from "../store/carry-over.ts";
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
import { judgeAbsent } from "./vanished.ts";

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
    const scan = await catalog.scan(options.sources);
    const seen: Catalog = { ...catalog, scan: async () => scan };
    const result = await refresh(seen, store, { ...options, isThorough: true });
    if (result.pending > 0) return result; // stopped half-way: the old one knows more
    const judge = judgeAbsent(scan, catalog.sources, options.vanished ?? "keep");
    const { kept, removed } = carryOverFrom(old, store, {
      // Nobody looked for sessions of other sources.
      fateOf: (absent) => (options.sources?.includes(absent.source) === false ? "leave" : judge(absent)),
      goneSince: options.now().toISOString(),
    });
    await scratch.replaceStore();
    return { ...result, kept, removed: removed + kept };
  } finally {
    scratch.discard();
  }
}

/** What a corrupt store knew is still in the file that is set aside. */
function carryOverFrom(old: StoreOptions, store: SessionStore, options: CarryOverOptions): CarriedOver {
  const db = openStore(old);
  const file = storeIdentity(old.folder);
  try {
    return carryOver(db, store, options);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    db.close();
    setStoreAside(old, file);
    return { kept: 0, removed: 0 };
  } finally {
    if (db.isOpen) db.close();
  }
}
