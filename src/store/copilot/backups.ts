/** Copies of Copilot CLI's store, made before it is written to: the newest few, in our own folder. */
import { join } from "node:path";
import { makeFolder, namesIn, removeDatabase } from "../../platform/own-files.ts";
import { toAppError } from "../faults.ts";
import type { CopilotStore } from "./copilot-store.ts";

const KEPT = 3;
const NAME = /^copilot-session-store-\d{8}T\d{9}\.db$/;

/** Copies the database under SQLite's own locks, and gives back the path of the copy. `spare` is never cleared away. */
export async function backUp(
  store: CopilotStore,
  dataFolder: string,
  now: Date,
  spare?: string,
): Promise<string> {
  const folder = join(dataFolder, "backups");
  const stamp = now.toISOString().replace(/[-:.Z]/g, "");
  const path = join(folder, `copilot-session-store-${stamp}.db`);
  try {
    makeFolder(folder);
    await store.copyTo(path);
    const older = namesIn(folder)
      .filter((name) => NAME.test(name))
      .sort()
      .slice(0, -KEPT);
    for (const name of older) if (join(folder, name) !== spare) removeDatabase(join(folder, name));
    return path;
  } catch (error) {
    throw toAppError(error, path);
  }
}
