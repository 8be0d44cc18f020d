/** Puts a copy of a vendor's own store back, as it was before a rebuild. */
import { AppError } from "../model/errors.ts";
import type { Catalog, PlacedOwnStore } from "../sources/catalog.ts";
import { type CopilotStore, openCopilotStore } from "../store/copilot/copilot-store.ts";
import { prepareOwnStore } from "./own-store.ts";

export interface RestoreResult {
  readonly path: string;
  /** Where the store is as it was until now. */
  readonly backup: string;
}

export async function restoreOwnStore(
  catalog: Catalog,
  place: PlacedOwnStore,
  from: string,
  backUp: (store: CopilotStore) => Promise<string>,
): Promise<RestoreResult> {
  const { path } = await prepareOwnStore(catalog, place);
  if (!(await catalog.fs.exists(from)))
    throw new AppError("usage", `There is no backup at ${from}`, "Name the file that the rebuild printed");
  const copy = openCopilotStore(from, true);
  try {
    const current = openCopilotStore(path, false);
    let backup: string;
    try {
      backup = await backUp(current);
    } finally {
      current.close();
    }
    await copy.copyTo(path);
    return { path, backup };
  } finally {
    copy.close();
  }
}
