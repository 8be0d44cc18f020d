/** Lets one process at a time fill an empty store, as two would read the same. */
import { join } from "node:path";
import { makeFolder } from "../platform/disk/own-files.ts";
import { waitForWriteLock } from "../platform/process/write-lock.ts";

/** Undefined where another takes longer. */
export function lockFilling(folder: string, patienceMs: number): Promise<(() => void) | undefined> {
  makeFolder(folder);
  return waitForWriteLock(join(folder, ".filling.lock"), patienceMs);
}
