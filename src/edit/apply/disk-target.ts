/** A plan on the disk: each step is one rename, or one small transaction in a program's own database. */
import type { EditPlan } from "../../model/plan.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import { readTree } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { entriesBelow } from "../backups/from-backup.ts";
import { databaseOf, type WriteContext } from "../undo/recover.ts";
import { settleSteps } from "../undo/settle-steps.ts";
import { recordAttributes } from "./attributes.ts";
import { changedMeanwhile, check, checkClosed, checkPrograms } from "./check.ts";
import { isSame } from "./compare-entries.ts";
import { lockedFolders } from "./locks.ts";
import { assignOwners } from "./owners.ts";
import { clearOldCopies, stageCopy } from "./set-step.ts";
import { openStage, reopenStage, type Stage } from "./stage.ts";
import { takeStep } from "./take-step.ts";
import type { WriteTarget } from "./target.ts";

export function createDiskTarget({ disk, home, fs }: WriteContext, catalog: Catalog): WriteTarget {
  return {
    isAtomic: false,
    lockedFolders,
    check: (plan) => check(catalog, home, plan),
    record: (plan) => recordAttributes(disk, plan),
    openStage: (operation, plan) => openStage(disk, home, operation, plan),
    async prepare(stage, plan) {
      const steps = assignOwners(disk, stage, plan);
      const database = await databaseOf(catalog, plan);
      for (const [number, step] of steps.entries())
        if (step.does === "set") stageCopy(disk, step, stage.built(number), database);
      return steps;
    },
    async take({ plan, stage, verify }) {
      const database = await databaseOf(catalog, plan);
      await check(catalog, home, plan);
      for (const [number, step] of plan.steps.entries()) takeStep(disk, step, number, stage, database);
      await verify(fs);
      const changed = await findOvertaken(fs, plan, stage);
      if (changed !== undefined) throw changedMeanwhile(changed);
    },
    async settle({ operation, plan }, journal) {
      const database = await databaseOf(catalog, plan);
      return settleSteps(plan, {
        backup: journal.backupOf(operation),
        stage: reopenStage(disk, home, operation),
        disk,
        sources: { fs, vault: journal.vault },
        ...(database && { database }),
        checkPrograms: () => checkPrograms(catalog, plan),
        checkClosed: (sessions) => checkClosed(catalog, { ...plan, closed: sessions }),
      });
    },
    tidy({ steps }, stage) {
      for (const step of steps) if (step.does === "set") clearOldCopies(disk, step);
      stage.clear();
    },
  };
}

/** The first path that others wrote to meanwhile. What was there waits in staging, with what they wrote. */
async function findOvertaken(
  fs: SessionFs,
  { steps, basis }: EditPlan,
  stage: Stage,
): Promise<string | undefined> {
  for (const [number, step] of steps.entries()) {
    if (step.does !== "replace" && step.does !== "remove") continue;
    const taken = stage.taken(number);
    if (!isThere(taken)) continue; // a disk on which a file has but one name
    const found = new Map(
      (await readTree(fs, taken)).map((entry) => [step.path + entry.path.slice(taken.length), entry]),
    );
    const wanted = entriesBelow(step.path, basis);
    if (found.size !== wanted.length) return step.path;
    for (const entry of wanted) if (!(await isSame(fs, found.get(entry.path), entry))) return step.path;
  }
  return undefined;
}
