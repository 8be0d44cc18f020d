/** Did somebody write to what a write has just replaced or taken away, between the last look at it and that moment? */
import type { EditPlan } from "../../model/plan.ts";
import { isThere } from "../../platform/fs/own-files.ts";
import { readTree } from "../../platform/fs/tree.ts";
import { entriesBelow } from "../backups/from-backup.ts";
import { isSame } from "./compare-entries.ts";
import type { Stage } from "./stage.ts";

/** The first path of which that is so. What was there waits in staging, with what they wrote. */
export function findOvertaken({ steps, basis }: EditPlan, stage: Stage): string | undefined {
  return steps.find((step, number) => {
    if (step.does !== "replace" && step.does !== "remove") return false;
    const taken = stage.taken(number);
    if (!isThere(taken)) return false; // a disk on which a file has but one name
    const found = new Map(
      readTree(taken).map((entry) => [step.path + entry.path.slice(taken.length), entry]),
    );
    const wanted = entriesBelow(step.path, basis);
    return found.size !== wanted.length || !wanted.every((entry) => isSame(found.get(entry.path), entry));
  })?.path;
}
