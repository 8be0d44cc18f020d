/**
 * Carries out any plan. Until the first rename nothing has happened; after the last one all has; and whatever fails in
 * between is taken back. The order of things below is the promise, so it is written as one list.
 */
import { dirname } from "node:path";
import { AppError } from "../model/errors.ts";
import { type EditPlan, sessionsOf } from "../model/plan.ts";
import { isThere } from "../platform/own-files.ts";
import { reasonOf } from "../platform/session-fs.ts";
import { isOutOfSpace, SQLITE, sqliteCode } from "../platform/sqlite.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { SharedDatabase } from "../sources/editor.ts";
import { type KeptFile, keepFile } from "../store/kept-file.ts";
import { type Journal, openJournal } from "../store/state/journal.ts";
import { recordAttributes } from "./attributes.ts";
import { build } from "./build.ts";
import { changedMeanwhile, check, checkPrograms } from "./check.ts";
import { entriesBelow } from "./compare-entries.ts";
import { whileLocked, writeBusy } from "./locks.ts";
import { findOvertaken } from "./overtaken.ts";
import { assignOwners } from "./owners.ts";
import { refuseReleased } from "./past-writes.ts";
import { settle, type Workshop } from "./recover.ts";
import { restore } from "./restore.ts";
import { clearOldCopies, stageCopy, takeSet } from "./set-step.ts";
import { openStage, reopenStage, type Stage } from "./stage.ts";
import { findDifference } from "./verify.ts";
import { findOtherBytes } from "./verify-files.ts";

/** So often somebody may sweep the vault just while something is put there. */
const MOST_TRIES = 3;

export async function apply(
  workshop: Workshop,
  catalog: Catalog,
  operation: string,
  plan: EditPlan,
): Promise<void> {
  await whileLocked(workshop.home, plan, async () => {
    const journal = openJournal(workshop.home, workshop.now);
    try {
      await settle(workshop, catalog, journal);
      await check(catalog, plan);
      const undone = plan.undoes === undefined ? undefined : journal.find(plan.undoes);
      if (undone) refuseReleased(undone);
      await write(workshop, catalog, journal, operation, await recordAttributes(workshop.disk, plan));
    } finally {
      journal.close();
    }
  });
}

async function write(
  workshop: Workshop,
  catalog: Catalog,
  journal: Journal,
  operation: string,
  plan: EditPlan,
): Promise<void> {
  const { disk, home, fs } = workshop;
  const sources = { fs, vault: journal.vault };
  if (plan.steps.length === 0) return;
  const database = await databaseOf(catalog, plan);
  let stage: Stage;
  try {
    stage = await openStage(disk, home, operation, plan);
    for (const [number, step] of assignOwners(disk, stage, plan).entries())
      if (step.does === "set") stageCopy(disk, step, stage.built(number), database);
      else if (step.does !== "remove") await build(disk, step.entries, stage.built(number), sources);
    await backUp(workshop, journal, operation, plan);
  } catch (error) {
    reopenStage(disk, home, operation).clear();
    throw failed(error, "nothing was changed");
  }
  try {
    await check(catalog, plan);
    takeSteps(plan, stage, workshop, database);
    const difference = (await findDifference(catalog, fs, plan)) ?? (await findOtherBytes(fs, plan.steps));
    if (difference !== undefined) throw unverified(difference);
    const changed = findOvertaken(plan, stage);
    if (changed !== undefined) throw changedMeanwhile(changed);
    journal.commit(operation, plan);
  } catch (error) {
    const isTakenBack = await takeBack(error, () =>
      restore(plan, {
        backup: journal.backupOf(operation),
        stage,
        disk,
        sources,
        checkPrograms: () => checkPrograms(catalog, plan),
      }),
    );
    if (isTakenBack) journal.revert(operation);
    else journal.commit(operation, plan);
    stage.clear();
    throw isTakenBack ? failed(error, "everything is as it was before") : overtaken(error, operation);
  }
  for (const step of plan.steps) if (step.does === "set") clearOldCopies(disk, step);
  stage.clear();
}

/** That of the program whose list the plan changes; a plan may be about sessions of several. */
async function databaseOf(catalog: Catalog, plan: EditPlan): Promise<SharedDatabase | undefined> {
  if (!plan.steps.some(({ does }) => does === "set")) return undefined;
  for (const session of sessionsOf(plan)) {
    const { database } = (await catalog.editing(session)).editor;
    if (database) return database;
  }
  return undefined;
}

/** All that will change or go, and the intent, in one transaction. */
async function backUp({ fs }: Workshop, journal: Journal, operation: string, plan: EditPlan): Promise<void> {
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

function takeSteps(plan: EditPlan, stage: Stage, { disk }: Workshop, database?: SharedDatabase): void {
  for (const [number, step] of plan.steps.entries()) {
    if (step.does === "set") {
      takeSet(disk, step, stage.built(number), database);
      continue;
    }
    // What is brought back may have lain in a folder that is gone since.
    if (step.does === "place" && !isThere(dirname(step.path))) disk.makeFolder(dirname(step.path), 0o700);
    if (step.does === "remove") disk.rename(step.path, stage.taken(number));
    else {
      // Whoever writes to the old file until the last moment can still be noticed, and what they wrote be kept.
      if (step.does === "replace") disk.alias(step.path, stage.taken(number));
      disk.rename(stage.built(number), step.path);
    }
    disk.sync(dirname(step.path));
  }
}

/** Should even that fail, the journal still knows, and the next rethread goes on with it. */
async function takeBack(cause: unknown, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    throw new AppError(
      "write-interrupted",
      `The write failed (${reasonOf(cause)}) and could not be taken back yet: ${reasonOf(error)}`,
      "Mend what is wrong with the disk; any rethread command then goes on taking it back",
      error,
    );
  }
}

function failed(error: unknown, outcome: string): unknown {
  if (error instanceof AppError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (!(error instanceof Error) || code === undefined) return error; // a defect of ours
  const isFull = ["ENOSPC", "EDQUOT", "EFBIG"].includes(code) || isOutOfSpace(error);
  const isDenied = ["EACCES", "EPERM", "EROFS"].includes(code) || sqliteCode(error) === SQLITE.READONLY;
  return new AppError(
    isFull ? "disk-full" : isDenied ? "permission-denied" : "write-failed",
    `The write failed (${reasonOf(error)}); ${outcome}`,
    isFull
      ? "Free some space and run the command again"
      : "Mend what is wrong there and run the command again",
    error,
  );
}

/** Taking it back would cost what they did. */
const overtaken = (error: unknown, operation: string): AppError =>
  new AppError(
    "write-failed",
    `The write failed (${reasonOf(error)}), but somebody has changed what it wrote already, so that stays`,
    `See what there is: rethread history (operation ${operation})`,
    error,
  );

const unverified = (difference: string): AppError =>
  new AppError(
    "write-unverified",
    `What was written read back wrong (${difference}), so the old state was put back`,
    "Please report this, with the output of: rethread doctor",
  );
