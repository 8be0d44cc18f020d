/**
 * Applies a plan. Before the first rename nothing has changed, after the last one everything has, and a failure in
 * between is undone. The order of the steps below is what guarantees this, so it is written as one list.
 */
import { AppError } from "../../model/errors.ts";
import { type EditPlan, type Step, sessionsOf } from "../../model/plan.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { isOutOfSpace, SQLITE, sqliteCode } from "../../platform/sqlite/sqlite.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { type Outcome, readOutcomes } from "../../store/state/backups.ts";
import { type Journal, openJournal } from "../../store/state/journal.ts";
import { type KeptFile, keepFile } from "../../store/vault/kept-file.ts";
import { entriesBelow } from "../backups/from-backup.ts";
import { refuseReleased } from "../undo/past-writes.ts";
import { settle, settleOne, type WriteContext } from "../undo/recover.ts";
import { build } from "./build.ts";
import { whileLocked, writeBusy } from "./locks.ts";
import { reopenStage, type Stage } from "./stage.ts";
import { targetOf } from "./target.ts";
import { findDifference } from "./verify.ts";

/** How often a backup is retried when another process removes blocks from the vault meanwhile. */
const MOST_TRIES = 3;

export async function apply(
  writeContext: WriteContext,
  catalog: Catalog,
  operation: string,
  plan: EditPlan,
): Promise<void> {
  const target = targetOf(writeContext, catalog);
  await whileLocked(writeContext.home, target.lockedFolders(plan), async () => {
    const journal = openJournal(writeContext.home, writeContext.now);
    try {
      await settleFirst(writeContext, catalog, journal);
      await target.check(plan);
      const undone = plan.undoes === undefined ? undefined : journal.find(plan.undoes);
      if (undone) refuseReleased(undone);
      await write(writeContext, catalog, journal, operation, await target.record(plan));
    } finally {
      journal.close();
    }
  });
}

/** What a crash left half-way, perhaps of these very sessions, comes before anything new. */
async function settleFirst(writeContext: WriteContext, catalog: Catalog, journal: Journal): Promise<void> {
  try {
    await settle(writeContext, catalog, journal);
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error && "code" in error)) throw error;
    throw new AppError(
      "write-interrupted",
      `An earlier write was interrupted and cannot be undone yet: ${reasonOf(error)}`,
      "Fix the problem with the disk or database; any rethread command then continues to undo it",
      error,
    );
  }
}

async function write(
  writeContext: WriteContext,
  catalog: Catalog,
  journal: Journal,
  operation: string,
  intended: EditPlan,
): Promise<void> {
  const { disk, home, fs } = writeContext;
  const target = targetOf(writeContext, catalog);
  const sources = { fs, vault: journal.vault };
  if (intended.steps.length === 0) return;
  let stage: Stage;
  /** With the hashes of what is written: by these an undo knows it again. */
  let plan: EditPlan;
  try {
    stage = await target.openStage(operation, intended);
    const steps: Step[] = [];
    for (const [number, step] of (await target.prepare(stage, intended)).entries())
      steps.push(
        "entries" in step
          ? { ...step, entries: await build(disk, step.entries, stage.built(number), sources) }
          : step,
      );
    plan = { ...intended, steps };
    await backUp(writeContext, journal, operation, plan);
  } catch (error) {
    reopenStage(disk, home, operation).clear();
    throw failed(error, "nothing was changed");
  }
  let outcomes: readonly Outcome[] = [];
  try {
    await target.take({
      operation,
      plan,
      stage,
      async verify(there) {
        const difference =
          (await findDifference(catalog, there, plan)) ?? (await findOtherBytes(there, intended.steps));
        if (difference !== undefined) throw unverified(difference);
        outcomes = await readOutcomes(there, sessionsOf(plan));
      },
    });
    journal.commit(operation, plan, outcomes);
  } catch (error) {
    const isUndone = await takeBack(error, async () => {
      const outcomes = await settleOne(writeContext, catalog, journal, { operation, plan });
      return outcomes.every(({ became }) => became === "old");
    });
    stage.clear();
    throw isUndone ? failed(error, "everything is as it was before") : overtaken(error, operation);
  }
  tidyUp(() => target.tidy(plan, stage));
}

/** The write is committed; the next rethread command removes what is left in staging. */
function tidyUp(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}

/** All that will change or go, and the intent, in one transaction. */
async function backUp(
  { fs }: WriteContext,
  journal: Journal,
  operation: string,
  plan: EditPlan,
): Promise<void> {
  const changing = plan.steps.filter((step) => step.does !== "place");
  const paths = changing.flatMap((step) =>
    entriesBelow(step.path, plan.basis).flatMap(({ kind, path }) => (kind === "file" ? [path] : [])),
  );
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const kept: KeptFile[] = [];
    for (const path of paths) kept.push(await keepFile(journal.vault, fs, path));
    if (await journal.begin(operation, plan, kept)) return;
  }
  throw writeBusy();
}

/** If even that fails, the journal still has it, and the next rethread command continues. */
async function takeBack(cause: unknown, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    throw new AppError(
      "write-interrupted",
      `The write failed (${reasonOf(cause)}) and could not be undone yet: ${reasonOf(error)}`,
      "Fix the problem with the disk or database; any rethread command then continues to undo it",
      error,
    );
  }
}

function failed(error: unknown, outcome: string): unknown {
  if (error instanceof AppError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (!(error instanceof Error) || code === undefined)
    return new AppError(
      "write-failed",
      `The write failed (${reasonOf(error)}); ${outcome}`,
      "This is a defect in rethread. Please report it with the output of RETHREAD_DEBUG=1",
      error,
    );
  const isFull = ["ENOSPC", "EDQUOT", "EFBIG"].includes(code) || isOutOfSpace(error);
  const isDenied = ["EACCES", "EPERM", "EROFS"].includes(code) || sqliteCode(error) === SQLITE.READONLY;
  return new AppError(
    isFull ? "disk-full" : isDenied ? "permission-denied" : "write-failed",
    `The write failed (${reasonOf(error)}); ${outcome}`,
    isFull ? "Free some space and run the command again" : "Fix the problem, then run the command again",
    error,
  );
}

/** Taking it back would cost what they did. */
const overtaken = (error: unknown, operation: string): AppError =>
  new AppError(
    "write-failed",
    `The write failed (${reasonOf(error)}), but its result was already changed by others, so it was kept`,
    { say: "See", remedy: { action: "history" }, after: `, operation ${operation}` },
    error,
  );

const unverified = (difference: string): AppError =>
  new AppError(
    "write-unverified",
    `What was written did not read back correctly (${difference}), so the old state was restored`,
    { say: "Please report this, with the output of", remedy: { action: "doctor" } },
  );

/** The first that came out otherwise; nothing when all are what they were to be. */
async function findOtherBytes(
  fs: Pick<SessionFs, "chunks">,
  steps: readonly Step[],
): Promise<string | undefined> {
  for (const step of steps) {
    if (!("entries" in step)) continue;
    for (const { path, sha256 } of step.entries)
      if (sha256 !== undefined && (await hashOf(fs, path)) !== sha256) return `different bytes in ${path}`;
  }
  return undefined;
}
