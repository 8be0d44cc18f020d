/** Applies and undoes a change of values in a program's database. A copy of the database is left beside it. */
import { dirname } from "node:path";
import type { SetStep } from "../../model/plan.ts";
import type { Disk } from "../../platform/disk/disk.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import { oldCopies } from "../../platform/sqlite/copies.ts";
import { SQLITE, sqliteCode } from "../../platform/sqlite/sqlite.ts";
import type { SharedDatabase } from "../../sources/editor.ts";
import { decideValues, keysOf, turnCells } from "./cells.ts";
import type { Progress } from "./compare-entries.ts";

/** Under the database's own lock, so that another writer is noticed before anything is changed. */
export function stageCopy(disk: Disk, step: SetStep, to: string, database?: SharedDatabase): void {
  orInUse(database, () => disk.copyDatabase(step.path, to));
}

export function takeSet(disk: Disk, step: SetStep, stagedCopy: string, database?: SharedDatabase): void {
  disk.rename(stagedCopy, step.copy);
  disk.sync(dirname(step.path));
  orInUse(database, () =>
    disk.changeValues(step.path, step.table, keysOf(step), (values) =>
      decideValues(step, values, (key, value) => database?.whyRejected(step.path, key, value)),
    ),
  );
}

/** The copy goes, too: it is of a write that did not happen. */
export function restoreSet(disk: Disk, step: SetStep, is: Progress): void {
  if (is === "after") {
    const back = turnCells(step);
    disk.changeValues(step.path, step.table, keysOf(step), (values) => decideValues(back, values));
  }
  if (!isThere(step.copy)) return;
  disk.remove(step.copy);
  disk.sync(dirname(step.path));
}

/** Once it is certain. What cannot be removed now is removed after the next write. */
export function clearOldCopies(disk: Disk, step: SetStep): void {
  try {
    for (const path of oldCopies(step.path)) disk.remove(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function orInUse(database: SharedDatabase | undefined, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (sqliteCode(error) === SQLITE.BUSY && database) throw database.inUse();
    throw error;
  }
}
