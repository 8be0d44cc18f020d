/** The board items that programs of vendors keep, and our copies of both in the store. */
import { findContextItems, findOwnItems } from "../../indexer/context-items.ts";
import type { BoardItem } from "../../model/board/item.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import { createContextItems, type Keepers, type KeptItem } from "../../store/context-items.ts";
import { readContextItems } from "../../store/copilot/context-items.ts";
import { storePath } from "../../store/path.ts";
import type { SessionStore } from "../../store/session-store.ts";
import { createBoardMirror } from "../../store/state/board-mirror.ts";
import type { Request } from "../request.ts";

/** For so long another process that writes the store is waited for; the next refresh does what was left. */
const PATIENCE_MS = 300;

type Parts = Pick<Request, "catalog" | "askStoreOrNot" | "dataFolder">;

/** As their stores have them now; where one cannot be read, as they were last seen. */
export async function readVendorItems(parts: Parts): Promise<BoardItem[]> {
  const { catalog, askStoreOrNot, dataFolder } = parts;
  const sources = catalog.sources.map(({ source }) => source);
  const stored = isThere(storePath(dataFolder))
    ? await askStoreOrNot(async (store) => {
        const found = await findContextItems(catalog, store, sources);
        if (found) await keep(store, "vendors", found.items, found.mark);
        return found?.items ?? createContextItems(store.db).of("vendors");
      })
    : undefined;
  return (stored ?? readDirectly(parts)).map(toItem);
}

/** No store is made for this question alone. */
function readDirectly({ catalog: { fs, vendorStores } }: Parts): KeptItem[] {
  if (!fs.isDisk) return [];
  return vendorStores.flatMap(({ store, root, source }) => {
    const path = store.path(root);
    try {
      return isThere(path) ? readContextItems(path).map((item) => ({ ...item, keptBy: source })) : [];
    } catch {
      return []; // damaged, in use or out of reach: `doctor` and `index --copilot` say so
    }
  });
}

/** Copies our own items into the store, if there is one; what fails now is done with the next refresh. */
export async function mirrorOwnItems({ askStoreOrNot, dataFolder }: Parts, now: () => Date): Promise<void> {
  if (!isThere(storePath(dataFolder))) return;
  await askStoreOrNot(async (store) => {
    const found = findOwnItems(createBoardMirror(dataFolder, now), store);
    if (found) await keep(store, "own", found.items, found.mark);
  });
}

async function keep(
  store: SessionStore,
  whose: Keepers,
  items: readonly KeptItem[],
  mark: string,
): Promise<void> {
  if (await store.takeTurn(PATIENCE_MS, () => false)) store.keepContextItems(whose, items, mark);
}

const toItem = ({ src, count, ...item }: KeptItem): BoardItem => ({
  ...item,
  source: src,
  useCount: count,
  evidence: [],
});
