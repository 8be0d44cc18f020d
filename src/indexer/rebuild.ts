/** Builds the store anew beside the old one, then puts it in its place in one step. */
import type { Catalog } from "../sources/catalog.ts";
import { carryOver } from "../store/carry-over.ts";
import { type OpenScratch, openScratchStore, openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { type RefreshOptions, type RefreshResult, refresh } from "./refresh.ts";

/** Nobody else sees the new file before it is whole; the old one answers questions until then. */
export async function rebuild(
  catalog: Catalog,
  folder: string,
  options: RefreshOptions,
  notice: (sentence: string) => void = () => undefined,
): Promise<RefreshResult> {
  // First of all, because it refuses what a newer version wrote, and sets a corrupt one aside.
  const old = openStore({ folder, now: options.now, notice });
  try {
    const scratch: OpenScratch = openScratchStore(folder, options.now);
    try {
      const store = createSessionStore(scratch.db);
      const result = await refresh(catalog, store, options);
      if (options.vanished !== "remove") carryOver(old, store);
      await scratch.replaceStore();
      return result;
    } finally {
      scratch.discard();
    }
  } finally {
    old.close();
  }
}
