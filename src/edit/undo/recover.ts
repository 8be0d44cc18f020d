/** Undoes interrupted writes of dead processes, and cleans up their staging folders. */
import { dirname, join } from "node:path";
import { AppError } from "../../model/errors.ts";
import { type Became, type EditPlan, type SessionOutcome, sessionsOf } from "../../model/plan.ts";
import type { Disk } from "../../platform/disk/disk.ts";
import { makeFolder } from "../../platform/disk/own-files.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { takeWriteLock } from "../../platform/process/write-lock.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { SharedDatabase } from "../../sources/editor.ts";
import { readOutcomes } from "../../store/state/backups.ts";
import { type Journal, type JournalEntry, openJournal } from "../../store/state/journal.ts";
import { reopenStage, unfinished } from "../apply/stage.ts";
import { targetOf } from "../apply/target.ts";
import { type GroupOutcome, planOfRest } from "../plan/step-groups.ts";

/** What every write needs. */
export interface WriteContext {
  /** Our own data folder. */
  readonly home: string;
  readonly now: () => Date;
  readonly fs: SessionFs;
  readonly disk: Disk;
}

export interface Recovered {
  readonly operation: string;
  readonly kind: string;
  readonly title: string;
  readonly sessions: readonly SessionOutcome[];
  /** The same of what belongs together, where it belongs to no session, too. */
  readonly became: readonly Became[];
  /** All of it was done, in one transaction, before the process died. */
  readonly wasDone: boolean;
}

export const lockPath = (home: string): string => join(home, "write.lock");

/** Nothing to do while another rethread is writing: what is unfinished then is its own. */
export async function recover(writeContext: WriteContext, catalog: Catalog): Promise<Recovered[]> {
  makeFolder(writeContext.home);
  const unlock = takeWriteLock(lockPath(writeContext.home));
  if (!unlock) return [];
  try {
    const journal = openJournal(writeContext.home, writeContext.now);
    try {
      return await settle(writeContext, catalog, journal);
    } finally {
      journal.close();
    }
  } finally {
    unlock();
  }
}

/** The caller holds the lock. */
export async function settle(
  writeContext: WriteContext,
  catalog: Catalog,
  journal: Journal,
): Promise<Recovered[]> {
  const { home, disk } = writeContext;
  const { isAtomic } = targetOf(writeContext, catalog);
  const recovered: Recovered[] = [];
  for (const entry of journal.pending()) {
    const { operation, plan } = entry;
    const outcomes = await settleOne(writeContext, catalog, journal, entry);
    const sessions = outcomes.flatMap(({ group, became }) =>
      group.sessions.map(({ source, id }) => ({ source, id, became })),
    );
    const became = outcomes.map((outcome) => outcome.became);
    const wasDone = isAtomic && became.every((each) => each === "new");
    recovered.push({ operation, kind: plan.kind, title: plan.title, sessions, became, wasDone });
  }
  for (const operation of unfinished(home)) {
    const stage = reopenStage(disk, home, operation);
    if (!journal.find(operation) && stage.holdsTaken()) throw stranded(stage.taken(0));
    stage.clear();
  }
  return recovered;
}

/** Settles one write that did not come to its end, and notes in the journal what became of it. */
export async function settleOne(
  writeContext: WriteContext,
  catalog: Catalog,
  journal: Journal,
  entry: Pick<JournalEntry, "operation" | "plan">,
): Promise<GroupOutcome[]> {
  const { operation, plan } = entry;
  const outcomes = await targetOf(writeContext, catalog).settle(entry, journal);
  const rest = planOfRest(plan, outcomes);
  if (rest) journal.commit(operation, rest, await readOutcomes(writeContext.fs, sessionsOf(rest)));
  else journal.revert(operation);
  return outcomes;
}

/** That of the program whose list the plan changes; a plan may be about sessions of several. */
export async function databaseOf(catalog: Catalog, plan: EditPlan): Promise<SharedDatabase | undefined> {
  if (!plan.steps.some(({ does }) => does === "set")) return undefined;
  for (const session of sessionsOf(plan)) {
    const { database } = (await catalog.editing(session)).editor;
    if (database) return database;
  }
  return undefined;
}

/** Happens only when state.db was moved away after a crash: these files may be all that is left of a session. */
const stranded = (path: string): AppError =>
  new AppError(
    "state-damaged",
    `${dirname(path)} has files that an interrupted write moved away, and state.db does not know from where`,
    "Restore state.db from a backup, or move these files to a safe place yourself",
  );
