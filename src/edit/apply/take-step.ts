/** Applies one step of a plan: renames what was built into place, or moves what is there to staging. */
import { dirname } from "node:path";
import type { Step } from "../../model/plan.ts";
import type { Disk } from "../../platform/disk/disk.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import { isTakenUp, lookAt } from "../../platform/disk/tree.ts";
import type { SharedDatabase } from "../../sources/editor.ts";
import { takeSet } from "./set-step.ts";
import type { Stage } from "./stage.ts";

export function takeStep(
  disk: Disk,
  step: Step,
  number: number,
  stage: Stage,
  database?: SharedDatabase,
): void {
  if (step.does === "set") {
    takeSet(disk, step, stage.built(number), database);
    return;
  }
  // What is brought back may have lain in a folder that is gone since.
  if (step.does === "place" && !isThere(dirname(step.path))) disk.makeFolder(dirname(step.path), 0o700);
  if (step.does === "remove") disk.rename(step.path, stage.taken(number));
  else {
    // A program that writes to the old file until the last moment is still noticed, and its data is kept.
    if (step.does === "replace") {
      const isFolder = [lookAt(step.path), step.entries[0]].some((each) => each?.kind === "folder");
      // A folder takes the place of nothing, and nothing takes its place.
      if (isFolder) disk.rename(step.path, stage.taken(number));
      else disk.alias(step.path, stage.taken(number));
    }
    disk.rename(stage.built(number), step.path);
  }
  disk.sync(dirname(step.path));
}

/** What a step puts in its place is no longer where it was built; what it takes away is where it waits. */
export function isTaken(step: Step, number: number, stage: Stage): boolean {
  if (step.does === "remove") return !isTakenUp(step.path) || isTakenUp(stage.taken(number));
  // Of a database: the copy, which takes its place first.
  return !isTakenUp(stage.built(number)) || isBetween(step, number, stage);
}

/** A folder that is being replaced is gone already, and the new one is not there yet. */
export const isBetween = (step: Step, number: number, stage: Stage): boolean =>
  step.does === "replace" && !isTakenUp(step.path) && isTakenUp(stage.taken(number));
