/** What a process that died was writing, taken back before anything else is asked. */
import { recover, type Workshop } from "../edit/recover.ts";
import { AppError } from "../model/errors.ts";
import { nounOf } from "../model/plan.ts";
import { type Disk, localDisk } from "../platform/disk.ts";
import { localFs } from "../platform/local-fs.ts";
import { reasonOf } from "../platform/session-fs.ts";
import type { Catalog } from "../sources/catalog.ts";

export const createWorkshop = (home: string, now: Date, disk: Disk = localDisk): Workshop => ({
  home,
  now: () => now,
  fs: localFs,
  disk,
});

export async function recoverWrites(
  workshop: Workshop,
  catalog: Catalog,
  notice: (sentence: string) => void,
): Promise<void> {
  try {
    for (const { operation, kind, title, isTakenBack } of await recover(workshop, catalog))
      notice(
        isTakenBack
          ? `The ${nounOf(kind)} of "${title}" was interrupted, and has been taken back`
          : `The ${nounOf(kind)} of "${title}" was interrupted; its session was changed since, so it stays (operation ${operation})`,
      );
  } catch (error) {
    // What is on disk can be read all the same; whoever wants to write will be told again.
    if (!(error instanceof AppError) && !(error instanceof Error && "code" in error)) throw error;
    notice(`An interrupted write cannot be taken back now: ${reasonOf(error)}`);
  }
}
