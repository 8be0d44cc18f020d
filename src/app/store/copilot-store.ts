/** Copilot CLI's own session-store.db: rebuilt from its sessions, with a copy of what was there, or put back. */

import { resolve } from "node:path";
import { rebuildVendorStore, type VendorStoreResult } from "../../indexer/vendor-store.ts";
import { type RestoreResult, restoreVendorStore } from "../../indexer/vendor-store-restore.ts";
import type { Clock } from "../../model/values/time.ts";
import { refuseAborted } from "../../platform/fs/abortable.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { backUp } from "../../store/copilot/backups.ts";
import { type Call, toIndexProgress } from "../call.ts";

export interface CopilotStoreRequest {
  readonly dryRun: boolean;
  /** Write although the program seems to run. */
  readonly ignoreLock?: boolean;
}

export interface CopilotStoreReport extends VendorStoreResult {
  readonly seconds: number;
}

export interface CopilotStoreApp {
  rebuild(request: CopilotStoreRequest, call?: Call): Promise<CopilotStoreReport>;
  /** Puts back a copy that an earlier rebuild made. */
  restore(
    backup: string,
    request?: Pick<CopilotStoreRequest, "ignoreLock">,
    call?: Call,
  ): Promise<RestoreResult>;
}

export interface CopilotStoreSettings {
  readonly dataFolder: string;
  /** Where relative paths start. */
  readonly folder: string;
  readonly now: Clock;
}

export function createCopilotStoreApp(
  catalog: Catalog,
  { dataFolder, folder, now }: CopilotStoreSettings,
): CopilotStoreApp {
  const [place] = catalog.vendorStores;
  if (!place) throw new Error("no source has a store of its own");
  return {
    async rebuild({ dryRun, ignoreLock = false }, call = {}) {
      refuseAborted(call.signal);
      const onProgress = toIndexProgress(call);
      // Once it has begun, a write is carried out.
      const read = dryRun && call.signal ? catalog.until(call.signal) : catalog;
      const began = performance.now();
      const result = await rebuildVendorStore(read, place, {
        dryRun,
        ignoreLock,
        backUp: (store) => backUp(store, dataFolder, now()),
        ...(onProgress && { onProgress }),
      });
      return { ...result, seconds: (performance.now() - began) / 1000 };
    },
    async restore(backup, { ignoreLock = false } = {}, call = {}) {
      refuseAborted(call.signal);
      const from = resolve(folder, backup);
      return restoreVendorStore(catalog, place, from, {
        ignoreLock,
        backUp: (store) => backUp(store, dataFolder, now(), from),
      });
    },
  };
}
