/** Brings the context board into our store, when it has changed: our own items, and those of the vendors' stores. */
import { AppError } from "../model/errors.ts";
import type { SourceId } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { createContextItems, type KeptItem } from "../store/context-items.ts";
import type { SessionStore } from "../store/session-store.ts";

export interface FoundItems {
  readonly items: readonly KeptItem[];
  /** Of where they were read from. */
  readonly mark: string;
}

/** Our own items, where they are kept. Both throw an `AppError` where that cannot be read now. */
export interface OwnItems {
  /** Differs whenever an item does. */
  mark(): string;
  all(): readonly KeptItem[];
}

/** Nothing when they are as they were, or cannot be read now: then the rows of the last time are better than none. */
export function findOwnItems(own: OwnItems, store: SessionStore): FoundItems | undefined {
  try {
    const mark = own.mark();
    return mark === createContextItems(store.db).mark("own") ? undefined : { items: own.all(), mark };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return undefined; // those who need them say what is wrong
  }
}

/**
 * Nothing when they are as they were, when their source was not asked for, or when a store cannot be read now. A store
 * that is gone has no items.
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
  if (mark === createContextItems(store.db).mark("vendors")) return undefined;
  try {
    // Loaded here because it is seldom needed.
    const { readContextItems } = await import("../store/copilot/context-items.ts");
    const items = places.flatMap(({ store: vendor, root, source }, at) =>
      marks[at] === null
        ? []
        : readContextItems(vendor.path(root)).map((item) => ({ ...item, keptBy: source })),
    );
    return { items, mark };
  } catch {
    return undefined; // damaged, in use or out of reach: `doctor` and `index --copilot` say so
  }
}
