/** Decides which backups have expired. Pure. */
import type { Entry } from "../../model/plan.ts";
import type { BackupFacts } from "../../store/state/backups.ts";

export interface Retention {
  /** A backup that may go does so when it is older. */
  readonly days: number;
  /** And the oldest of them before that, when all take more. */
  readonly bytes: number;
}

/** What is kept of it takes space. */
export const isKept = ({ files, rowBytes, releasedAt }: BackupFacts): boolean =>
  releasedAt === undefined && files + rowBytes > 0;

/** A write that did not happen, or was undone, is no change: there is nothing to find good. */
export const mayGo = ({ state, confirmedAt }: BackupFacts): boolean =>
  state === "reverted" || (state === "committed" && confirmedAt !== undefined);

/**
 * Writes whose sessions were continued in their own program: the file that we wrote was appended to. This counts for
 * the last write to a session, and for those before it. The deletion of a session can only be confirmed by the user.
 */
export function findConfirmed(
  writes: readonly BackupFacts[],
  lookAt: (path: string) => Entry | undefined,
): string[] {
  const committed = writes.filter(({ state }) => state === "committed");
  const lastOf = new Map(committed.flatMap(({ outcomes }) => outcomes.map((each) => [each.path, each])));
  const grown = new Map<string, boolean>();
  const hasGrown = (path: string): boolean => {
    const known = grown.get(path) ?? isGrown(lastOf.get(path), lookAt(path));
    grown.set(path, known);
    return known;
  };
  return committed.flatMap(({ operation, confirmedAt, outcomes }) =>
    confirmedAt === undefined && outcomes.length > 0 && outcomes.every(({ path }) => hasGrown(path))
      ? [operation]
      : [],
  );
}

const isGrown = (left: { size?: number; ino?: number } | undefined, found: Entry | undefined): boolean =>
  left?.size !== undefined && found?.kind === "file" && found.ino === left.ino && found.size > left.size;

export const DAY_MS = 24 * 60 * 60 * 1000;

/** The oldest first, and never more than `most` at once. */
export function chooseReleases(
  writes: readonly BackupFacts[],
  { days, bytes }: Retention,
  now: Date,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const kept = writes.filter(isKept);
  const ledger = createLedger(kept);
  const chosen: string[] = [];
  for (const write of kept.filter(mayGo)) {
    if (chosen.length >= most) break;
    // A clock that was set back makes nothing older.
    const isOld = now.getTime() - Date.parse(write.beganAt) > days * DAY_MS;
    if (!isOld && ledger.total() <= bytes) continue;
    ledger.drop(write);
    chosen.push(write.operation);
  }
  return chosen;
}

/** What these take together: blocks that several share count once. */
export const spaceOf = (writes: readonly BackupFacts[]): number =>
  createLedger(writes.filter(isKept)).total();

function createLedger(kept: readonly BackupFacts[]) {
  const users = new Map<string, number>();
  let total = 0;
  for (const { blocks, rowBytes } of kept) {
    total += rowBytes;
    for (const { hash, size } of blocks) {
      const count = users.get(hash) ?? 0;
      if (count === 0) total += size;
      users.set(hash, count + 1);
    }
  }
  return {
    total: () => total,
    drop({ blocks, rowBytes }: BackupFacts): void {
      total -= rowBytes;
      for (const { hash, size } of blocks) {
        const count = (users.get(hash) ?? 0) - 1;
        if (count === 0) total -= size;
        users.set(hash, count);
      }
    },
  };
}
