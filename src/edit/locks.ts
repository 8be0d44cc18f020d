/** One rethread at a time: those that share our data folder, and those that have another but write to the same agents. */
import { AppError } from "../model/errors.ts";
import type { EditPlan } from "../model/plan.ts";
import { lockFor, waitForWriteLock } from "../platform/write-lock.ts";
import { lockPath } from "./recover.ts";

/** So long another rethread may take to finish. */
const PATIENCE_MS = 10_000;

/** Runs `work` while nobody else writes to our folder or to the roots of the plan. */
export async function whileLocked<T>(home: string, plan: EditPlan, work: () => Promise<T>): Promise<T> {
  const hideouts = new Set([plan.hideout, ...plan.steps.flatMap(({ hideout }) => hideout ?? [])]);
  // Ours first, the others in one order for everybody: so nobody waits for somebody who waits for them.
  const paths = [lockPath(home), ...[...hideouts].map(lockFor).sort()];
  const unlocks: (() => void)[] = [];
  try {
    for (const path of paths) {
      const unlock = await waitForWriteLock(path, PATIENCE_MS);
      if (!unlock) throw writeBusy();
      unlocks.push(unlock);
    }
    return await work();
  } finally {
    for (const unlock of unlocks.toReversed()) unlock();
  }
}

export const writeBusy = (): AppError =>
  new AppError("write-busy", "Another rethread is writing", "Run the command again in a moment");
