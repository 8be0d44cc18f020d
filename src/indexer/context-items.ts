/** Brings the context board of the vendors' own stores into ours, when one of those stores has changed. */
import type { SourceId } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { createContextItems } from "../store/context-items.ts";
import type { ContextItem } from "../store/copilot/context-items.ts";
import type { SessionStore } from "../store/session-store.ts";

export interface FoundItems {
  readonly items: readonly ContextItem[];
  /** Of the stores that they were read from. */
  readonly mark: string;
}

/**
 * Nothing when they are as they were, when their source was not asked for, or when a store cannot be read now: then the
 * rows of the last time are better than none. A store that is gone has no items.
 */
export async function findContextItems(
  { fs, vendorStores }: Pick<Catalog, "fs" | "vendorStores">,
  store: SessionStore,
  scanned: readonly SourceId[],
): Promise<FoundItems | undefined> {
  const places = vendorStores.filter(({ source }) => scanned.includes(source));
  if (!fs.isDisk || places.length === 0) return undefined;
  const marks: (string | null)[] = [];
  for (const { store: vendor, root } of places) marks.push((await vendor.mark(fs, root)) ?? null);
  const mark = JSON.stringify(marks);
  if (mark === createContextItems(store.db).mark()) return undefined;
  try {
    // Loaded here because it is seldom needed.
    const { readContextItems } = await import("../store/copilot/context-items.ts");
    const items = places.flatMap(({ store: vendor, root }, at) =>
      marks[at] === null ? [] : readContextItems(vendor.path(root)),
    );
    return { items, mark };
  } catch {
    return undefined; // damaged, in use or out of reach: `doctor` and `index --copilot` say so
  }
}
