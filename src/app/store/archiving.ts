/** The part of a refresh that keeps the vault in step; loaded only where there is something to keep or to mind. */
import type { Archiving } from "../../indexer/refresh.ts";
import type { Artifact } from "../../model/session/session.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { statePath } from "../../store/state/open.ts";

export interface ArchivingOptions {
  readonly folder: string;
  readonly now: () => Date;
  /** Copies are made; else those that were made before are minded. */
  readonly isOn: boolean;
}

export const createArchiving =
  (catalog: Catalog, { folder, now, isOn }: ArchivingOptions): Archiving =>
  async (sight, pace) => {
    if (!isOn && !isThere(statePath(folder))) return 0;
    const [{ archiveSessions, planArchive }, { openArchive }] = await Promise.all([
      import("../../indexer/archive.ts"),
      import("../../store/state/archive.ts"),
    ]);
    const archive = openArchive(folder, now);
    try {
      const isReadable = pace.isThorough
        ? (artifact: Artifact) =>
            archive.filesOf(artifact).every(({ blocks }) => blocks.every(archive.vault.isWhole))
        : undefined;
      const plan = planArchive(sight, archive.sessions(), isOn, isReadable);
      return await archiveSessions(catalog, archive, plan, now, pace);
    } finally {
      archive.close();
    }
  };
