/** Builds the store anew beside the old one, then puts it in its place in one step. */
import type { Catalog } from "../sources/catalog.ts";
import { type OpenScratch, openScratchStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { type RefreshOptions, type RefreshResult, refresh } from "./refresh.ts";

/** Nobody else sees the new file before it is whole; the old one answers questions until then. */
export async function rebuild(
  catalog: Catalog,
  folder: string,
  options: RefreshOptions,
): Promise<RefreshResult> {
  const scratch: OpenScratch = openScratchStore(folder, options.now);
  try {
    const result = await refresh(catalog, createSessionStore(scratch.db), options);
    await scratch.replaceStore();
    return result;
  } finally {
    scratch.discard();
  }
}
