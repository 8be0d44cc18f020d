/** Keeps the newest few copies of Copilot CLI's store, made before it is written to, in our own folder. */
import { join } from "node:path";
import {
  makeFolder,
  namesIn,
  removeDatabase,
  removeLeftBehind,
  renameFile,
} from "../../platform/disk/own-files.ts";
import { makeSingleFile } from "../../platform/sqlite/sqlite.ts";
import { toAppError } from "../faults.ts";
import type { CopilotStore } from "./copilot-store.ts";

const KEPT = 3;
const NAME = /^copilot-session-store-\d{8}T\d{9}\.db$/;
/** Of a copy that is not whole yet, before the id of the process that makes it. */
const UNFINISHED = "copilot-session-store.part-";

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
  const unfinished = join(folder, `${UNFINISHED}${process.pid}`);
  try {
    makeFolder(folder);
    removeLeftBehind(folder, UNFINISHED);
    removeDatabase(unfinished);
    await store.copyTo(unfinished);
    makeSingleFile(unfinished);
    renameFile(unfinished, path);
    clearAway(folder, spare);
    return path;
  } catch (error) {
    removeDatabase(unfinished);
    throw toAppError(error, path);
  }
}

function clearAway(folder: string, spare: string | undefined): void {
  const names = namesIn(folder).filter((name) => NAME.test(name));
  for (const name of names.sort().slice(0, -KEPT))
    if (join(folder, name) !== spare) removeDatabase(join(folder, name));
}
