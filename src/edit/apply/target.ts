/** Where the steps of a plan are taken. All that comes before and after is the same for every target. */
import type { EditPlan, Step } from "../../model/plan.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { Journal, JournalEntry } from "../../store/state/journal.ts";
import type { GroupOutcome } from "../plan/step-groups.ts";
import type { WriteContext } from "../undo/recover.ts";
import { createDiskTarget } from "./disk-target.ts";
import type { Stage } from "./stage.ts";
import { createTransactionTarget } from "./transaction-target.ts";

export interface WriteTarget {
  /** All steps happen at once, or none does. */
  readonly isAtomic: boolean;
  /** The folders that no other rethread may write to meanwhile. */
  lockedFolders(plan: EditPlan): readonly string[];
  /** Throws where the plan may not be applied now. */
  check(plan: EditPlan): Promise<void>;
  /** The plan, with what has to be recorded of what it changes beside bytes, modes and times. */
  record(plan: EditPlan): Promise<EditPlan>;
  openStage(operation: string, plan: EditPlan): Promise<Stage>;
  /** The steps as they are to be built in staging. */
  prepare(stage: Stage, plan: EditPlan): Promise<readonly Step[]>;
  /**
   * Takes the steps that were built. Throws where the plan may no longer be applied, where `verify` does, and where not
   * all of them could be taken; what then has become of them is for `settle` to find out.
   */
  take(taking: Taking): Promise<void>;
  /** Each session of an interrupted write becomes as it was or as it was meant to be. */
  settle(entry: Pick<JournalEntry, "operation" | "plan">, journal: Journal): Promise<GroupOutcome[]>;
  /** Removes what was only needed until the write was committed. */
  tidy(plan: EditPlan, stage: Stage): void;
}

export interface Taking {
  readonly operation: string;
  readonly plan: EditPlan;
  readonly stage: Stage;
  /** Throws where what is there now is not what was planned. */
  verify(fs: SessionFs): Promise<void>;
}

export function targetOf(writeContext: WriteContext, catalog: Catalog): WriteTarget {
  const { transactions } = writeContext.fs;
  return transactions
    ? createTransactionTarget(writeContext, transactions)
    : createDiskTarget(writeContext, catalog);
}
