/** Restores a copy of a vendor's own store. */
import { AppError } from "../model/errors.ts";
import type { Catalog, PlacedVendorStore } from "../sources/catalog.ts";
import { type CopilotStore, openCopilotStore } from "../store/copilot/copilot-store.ts";
import { prepareVendorStore, type VendorStoreOptions } from "./vendor-store.ts";

export interface RestoreResult {
  readonly path: string;
  /** Where the store is as it was until now. */
  readonly backup: string;
  /** The process that seems to use the store, where that was to be ignored. */
  readonly ignored?: number;
}

export async function restoreVendorStore(
  catalog: Catalog,
  place: PlacedVendorStore,
  from: string,
  { backUp, ignoreLock }: Pick<VendorStoreOptions, "backUp" | "ignoreLock">,
): Promise<RestoreResult> {
  const { path, user } = await prepareVendorStore(catalog, place, ignoreLock);
  const copy = await openBackup(catalog, place, from);
  try {
    const current = openCopilotStore(path, false);
    let backup: string;
    try {
      backup = await backUp(current);
    } finally {
      current.close();
    }
    await copy.copyTo(path);
    return { path, backup, ...(user !== undefined && { ignored: user }) };
  } finally {
    copy.close();
  }
}

async function openBackup(
  { fs }: Catalog,
  { label }: PlacedVendorStore,
  from: string,
): Promise<CopilotStore> {
  const hint = "Name the file that the rebuild reported";
  if (!(await fs.exists(from))) throw new AppError("usage", `There is no backup at ${from}`, hint);
  const isFile = (await fs.stat(from)).kind === "file";
  try {
    if (isFile) return openCopilotStore(from, true);
  } catch (error) {
    if (!(error instanceof AppError && FOREIGN.has(error.code))) throw error;
  }
  throw new AppError("usage", `${from} is not a copy of ${label}'s store`, hint);
}

/** What is said of a store that is damaged, or none that we know. */
const FOREIGN: ReadonlySet<string> = new Set(["unreadable", "not-supported"]);
