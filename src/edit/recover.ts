/** Whatever a process that died was writing is taken back, and nothing of it is left lying about. */
import { dirname, join } from "node:path";
import { AppError } from "../model/errors.ts";
import type { Disk } from "../platform/disk.ts";
import { makeFolder } from "../platform/own-files.ts";
import type { SessionFs } from "../platform/session-fs.ts";
import { takeWriteLock } from "../platform/write-lock.ts";
import type { Catalog } from "../sources/catalog.ts";
import { type Journal, openJournal } from "../store/state/journal.ts";
import { checkPrograms } from "./check.ts";
import { restore } from "./restore.ts";
import { reopenStage, unfinished } from "./stage.ts";

/** What every write needs. */
export interface Workshop {
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
  /** False when somebody has changed what was written since: then it stays as they left it. */
  readonly isTakenBack: boolean;
}

export const lockPath = (home: string): string => join(home, "write.lock");

/** Nothing to do while another rethread is writing: what is unfinished then is its own. */
export async function recover(workshop: Workshop, catalog: Catalog): Promise<Recovered[]> {
  makeFolder(workshop.home);
  const unlock = takeWriteLock(lockPath(workshop.home));
  if (!unlock) return [];
  try {
    const journal = openJournal(workshop.home, workshop.now);
    try {
      return await settle(workshop, catalog, journal);
    } finally {
      journal.close();
    }
  } finally {
    unlock();
  }
}

/** For whoever has the lock. */
export async function settle(
  { home, fs, disk }: Workshop,
  catalog: Catalog,
  journal: Journal,
): Promise<Recovered[]> {
  const recovered: Recovered[] = [];
  for (const entry of journal.pending()) {
    const { operation, plan } = entry;
    const stage = reopenStage(disk, home, operation);
    const isTakenBack = await restore(plan, {
      backup: journal.backupOf(operation),
      stage,
      disk,
      sources: { fs, vault: journal.vault },
      checkPrograms: () => checkPrograms(catalog, plan),
    });
    if (isTakenBack) journal.revert(operation);
    else journal.commit(operation, plan);
    recovered.push({ operation, kind: plan.kind, title: plan.title, isTakenBack });
  }
  for (const operation of unfinished(home)) {
    const stage = reopenStage(disk, home, operation);
    if (!journal.find(operation) && stage.holdsTaken()) throw stranded(stage.taken(0));
    stage.clear();
  }
  return recovered;
}

/** Only where somebody moved state.db away after a crash: what lies there may be all that is left of a session. */
const stranded = (path: string): AppError =>
  new AppError(
    "state-damaged",
    `${dirname(path)} holds what an interrupted write took away, and state.db does not know from where`,
    "Put state.db back from a backup, or take what is there to a safe place yourself",
  );
