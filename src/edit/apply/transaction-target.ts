/**
 * A plan on a file system that keeps several changes together: all steps are one transaction. What is built in staging
 * is copied there, and the file system itself knows whether the transaction was done, whatever becomes of this process.
 */
import { hash } from "node:crypto";
import { dirname } from "node:path";
import { AppError } from "../../model/errors.ts";
import { type Became, type EditPlan, entriesOf, type Step } from "../../model/plan.ts";
import { localFs } from "../../platform/fs/local.ts";
import type { FsTransactions, SessionFs } from "../../platform/fs/session-fs.ts";
import { groupSteps } from "../plan/step-groups.ts";
import type { WriteContext } from "../undo/recover.ts";
import { checkUnchanged } from "./check.ts";
import { openStage } from "./stage.ts";
import type { WriteTarget } from "./target.ts";

export function createTransactionTarget(
  { disk, home, fs }: WriteContext,
  transactions: FsTransactions,
): WriteTarget {
  const pathsOf = (steps: readonly Step[]): string[] => steps.map(({ path }) => path);
  const isHeld = async (path: string): Promise<boolean> => {
    try {
      await transactions.check([path]);
      return false;
    } catch (error) {
      if (error instanceof AppError && error.code === "session-busy") return true;
      throw error;
    }
  };
  return {
    isAtomic: true,
    // Leases keep others away, on this machine and elsewhere.
    lockedFolders: () => [],
    async check(plan) {
      refuseElsewhere(plan, transactions);
      await transactions.check(pathsOf(plan.steps.filter((step) => !isMinor(step))));
      await checkUnchanged(fs, plan);
    },
    // A counter is left alone while another program holds its session.
    async record(plan) {
      const steps: Step[] = [];
      for (const step of plan.steps) if (!isMinor(step) || !(await isHeld(step.path))) steps.push(step);
      return { ...plan, steps };
    },
    // All of it is built in our own folder, as there is no disk that renames could be made on.
    openStage: (operation, { hideout }) => openStage(disk, home, operation, { steps: [], hideout }),
    prepare: async (_, { steps }) => steps,
    async take({ operation, plan, stage, verify }) {
      try {
        await transactions.run(nameOf(operation, plan), pathsOf(plan.steps), async (within) => {
          await checkUnchanged(within, plan);
          for (const [number, step] of plan.steps.entries())
            await takeStep(within, step, stage.built(number));
          await verify(within);
        });
      } catch (error) {
        // The answer may have been lost when all was done.
        if (!(await transactions.settle(nameOf(operation, plan)))) throw error;
      }
    },
    async settle({ operation, plan }) {
      const became: Became = (await transactions.settle(nameOf(operation, plan))) ? "new" : "old";
      return groupSteps(plan).map((group) => ({ group, became }));
    },
    tidy: (_, stage) => stage.clear(),
  };
}

/** Operations are named for people, and another machine of the same account may have one of the same name. */
const nameOf = (operation: string, plan: EditPlan): string =>
  `${operation}-${hash("sha256", JSON.stringify(plan)).slice(0, 32)}`;

const isMinor = (step: Step): boolean => step.does === "replace" && step.minor === true;

/** A step is what a rename on a disk would be: what replaces a file is another file. */
async function takeStep(fs: SessionFs, step: Step, built: string): Promise<void> {
  if (step.does === "replace" || step.does === "remove") await fs.rm(step.path);
  else if (step.does === "place") await fs.mkdir(dirname(step.path));
  const entries = entriesOf(step);
  for (const { kind, path, ...entry } of entries) {
    if (kind === "folder") await fs.mkdir(path);
    else await copyFile(fs, built + path.slice(step.path.length), path, "mode" in entry ? entry.mode : 0o600);
  }
  // From the inside out: what is made in a folder changes the time of it.
  for (const entry of entries.toReversed())
    if (entry.kind !== "link") await fs.touch?.(entry.path, entry.mtimeMs);
}

/** In pieces, so that a log of any size fits. */
async function copyFile(fs: SessionFs, from: string, to: string, mode: number): Promise<void> {
  await fs.write(to, "", mode);
  for await (const chunk of localFs.chunks(from)) await fs.append(to, chunk);
}

/** Only files of sessions are kept there: no links, no other folders, and no databases that programs share. */
function refuseElsewhere({ steps }: EditPlan, { holds }: FsTransactions): void {
  for (const step of steps) {
    const links = entriesOf(step).some(({ kind }) => kind === "link");
    if (step.does !== "set" && !links && holds(step.path)) continue;
    throw new AppError(
      "not-supported",
      `${step.path} is not kept by the provider of these sessions, so it is not changed with them`,
      "Leave it out",
    );
  }
}
