/** Removes expired backups, while no other process writes. */
import type { Entry } from "../../model/plan.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import { lookThrough } from "../../platform/fs/fs-links.ts";
import { takeWriteLock } from "../../platform/process/write-lock.ts";
import { type BackupFacts, type Backups, openBackups } from "../../store/state/backups.ts";
import { statePath } from "../../store/state/open.ts";
import { lockPath, type WriteContext } from "../undo/recover.ts";
import { chooseReleases, findConfirmed, isKept, mayGo, type Retention, spaceOf } from "./retention.ts";

export interface Pruned {
  readonly operations: readonly string[];
  /** What they took, and what the others take. */
  readonly freed: number;
  readonly left: number;
}

const NOTHING: Pruned = { operations: [], freed: 0, left: 0 };

/** With what their programs have confirmed since; nothing is written for it. */
export async function readBackups(writeContext: WriteContext): Promise<BackupFacts[]> {
  if (!isThere(statePath(writeContext.home))) return [];
  const all = withBackups(writeContext, (backups) => backups.all());
  const found = new Map<string, Entry | undefined>();
  for (const { state, confirmedAt, outcomes } of all)
    for (const { path } of state === "committed" && confirmedAt === undefined ? outcomes : [])
      if (!found.has(path)) found.set(path, await lookThrough(writeContext.fs, path));
  const confirmed = new Set(findConfirmed(all, (path) => found.get(path)));
  const confirmedAt = writeContext.now().toISOString();
  return all.map((facts) => (confirmed.has(facts.operation) ? { ...facts, confirmedAt } : facts));
}

/**
 * Nothing is removed while another rethread writes, because it may be about to undo a write. The next one tries again.
 */
export async function prune(
  writeContext: WriteContext,
  retention: Retention,
  most?: number,
): Promise<Pruned> {
  const unlock = isThere(statePath(writeContext.home))
    ? takeWriteLock(lockPath(writeContext.home))
    : undefined;
  if (!unlock) return NOTHING;
  try {
    const facts = await readBackups(writeContext);
    const pruned = planPrune(facts, retention, writeContext.now(), most);
    const confirmed = facts.filter(({ confirmedAt }) => confirmedAt !== undefined);
    withBackups(writeContext, (backups) => {
      backups.confirm(confirmed.map(({ operation }) => operation));
      if (pruned.operations.length > 0) backups.release(pruned.operations);
    });
    return pruned;
  } finally {
    unlock();
  }
}

/** The most that are removed after one write, so that it does not take long. */
const MOST_IN_PASSING = 20;

/** The write succeeded either way; the next one, or `history --prune`, reports what is wrong. */
export async function pruneInPassing(writeContext: WriteContext, retention: Retention): Promise<void> {
  try {
    await prune(writeContext, retention, MOST_IN_PASSING);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/** What would go now. */
export function planPrune(
  facts: readonly BackupFacts[],
  retention: Retention,
  now: Date,
  most?: number,
): Pruned {
  const operations = chooseReleases(facts, retention, now, most);
  const left = spaceOf(facts.filter(({ operation }) => !operations.includes(operation)));
  return { operations, freed: spaceOf(facts) - left, left };
}

/** The user says that these are good, or all that were not confirmed yet. Gives back those that had a backup to let go. */
export function confirm(writeContext: WriteContext, operations: readonly string[]): string[] {
  const wanted = new Set(operations);
  return withBackups(writeContext, (backups) => {
    const named = backups
      .all()
      .filter(
        (each) => wanted.has(each.operation) && each.state === "committed" && isKept(each) && !mayGo(each),
      )
      .map(({ operation }) => operation);
    backups.confirm(named);
    return named;
  });
}

function withBackups<T>({ home, now }: WriteContext, work: (backups: Backups) => T): T {
  const backups = openBackups(home, now);
  try {
    return work(backups);
  } finally {
    backups.close();
  }
}
