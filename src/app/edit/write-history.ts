/** The history of our writes: what was done, its state, and how long its backup is kept. */

import { backupPathOf } from "../../edit/backups/backup-path.ts";
import { confirm, type Pruned, planPrune, readBackups } from "../../edit/backups/prune.ts";
import { DAY_MS, isKept, mayGo, type Retention, spaceOf } from "../../edit/backups/retention.ts";
import { findWrite } from "../../edit/undo/past-writes.ts";
import type { WriteContext } from "../../edit/undo/recover.ts";
import type { EditPlan } from "../../model/plan.ts";
import { formatKey } from "../../model/values/id.ts";
import { toPlainDate } from "../../model/values/time.ts";
import type { BackupFacts } from "../../store/state/backups.ts";
import { askJournal, type JournalEntry } from "../../store/state/journal.ts";

export interface PastWrite {
  readonly operation: string;
  readonly kind: EditPlan["kind"];
  readonly at: string;
  readonly state: "done" | "undone" | "failed" | "pending";
  readonly session: EditPlan["session"];
  readonly from: EditPlan["from"];
  readonly title: string;
  readonly undoes?: string;
  /** After a crash between two sessions: what became of each. */
  readonly became?: EditPlan["became"];
  /** The session was continued in its program since, or the user has confirmed the write. */
  readonly isConfirmed: boolean;
  readonly backup: Backup;
}

export interface Backup {
  readonly files: number;
  /** Of the files, and of what they take in the vault. */
  readonly bytes: number;
  readonly stored: number;
  /** `confirmed`: until the write is; a time: until then at least where there is room; `gone`: no longer. */
  readonly until: "confirmed" | "gone" | string | undefined;
  /** Where it is, as long as there is one. */
  readonly path?: string;
}

const COPYING: ReadonlySet<EditPlan["kind"]> = new Set(["clone", "fork", "handoff", "restore"]);

export interface BackupReport {
  /** What all backups take; blocks that they share count once. */
  readonly stored: number;
  readonly retention: Retention;
  /** What would go now. */
  readonly prunable: Pruned;
}

/** Latest first. */
export async function readHistory(writeContext: WriteContext, retention: Retention): Promise<PastWrite[]> {
  const facts = new Map((await readBackups(writeContext)).map((each) => [each.operation, each]));
  return askJournal(writeContext.home, writeContext.now, (journal) => {
    const entries = journal?.entries() ?? [];
    const undone = new Set(
      entries.flatMap(({ state, plan }) => (state === "committed" && plan.undoes ? [plan.undoes] : [])),
    );
    // Beside its own id a copy has its own name, also where it is taken back.
    const copies = new Map(
      entries.flatMap(({ plan: { kind, session, name } }) =>
        COPYING.has(kind) && name !== undefined ? [[formatKey(session), name] as const] : [],
      ),
    );
    return entries.map((entry) => {
      const known = facts.get(entry.operation);
      const { kind, session } = entry.plan;
      const ownName = COPYING.has(kind) || kind === "undo" ? copies.get(formatKey(session)) : undefined;
      return {
        ...describe(entry, undone),
        ...(ownName !== undefined && { title: ownName }),
        isConfirmed: known?.confirmedAt !== undefined,
        backup: withPath(known ? toBackup(known, retention) : NO_BACKUP, writeContext.home, entry),
      };
    });
  });
}

export async function reportBackups(writeContext: WriteContext, retention: Retention): Promise<BackupReport> {
  const facts = await readBackups(writeContext);
  return { stored: spaceOf(facts), retention, prunable: planPrune(facts, retention, writeContext.now()) };
}

function withPath(backup: Backup, home: string, { plan }: JournalEntry): Backup {
  const path = backup.until === "gone" ? undefined : backupPathOf(home, plan);
  return path === undefined ? backup : { ...backup, path };
}

const NO_BACKUP: Backup = { files: 0, bytes: 0, stored: 0, until: undefined };

function toBackup(facts: BackupFacts, { days }: Retention): Backup {
  const { files, bytes, blocks, rowBytes, releasedAt, beganAt } = facts;
  const began = Date.parse(beganAt);
  const isKnown = !Number.isNaN(began); // in a damaged state.db it may not be; then the backup stays
  const end = toPlainDate(isKnown ? began + days * DAY_MS : Number.POSITIVE_INFINITY).toISOString();
  return {
    files,
    bytes,
    stored: rowBytes + blocks.reduce((sum, { size }) => sum + size, 0),
    until: releasedAt !== undefined ? "gone" : !isKept(facts) ? undefined : mayGo(facts) ? end : "confirmed",
  };
}

function describe(
  { operation, plan, state, beganAt }: JournalEntry,
  undone: ReadonlySet<string>,
): Omit<PastWrite, "backup" | "isConfirmed"> {
  const { kind, session, from, title, undoes, became } = plan;
  const stateOf = { pending: "pending", committed: "done", reverted: "failed" } as const;
  return {
    operation,
    kind,
    at: beganAt,
    state: undone.has(operation) ? "undone" : stateOf[state],
    session,
    from,
    title,
    ...(undoes !== undefined && { undoes }),
    ...(became && { became }),
  };
}

/** One write by any unique start of its name, or all of them. Gives back those that were not confirmed before. */
export function confirmWrites(writeContext: WriteContext, name: string): string[] {
  const entries = askJournal(writeContext.home, writeContext.now, (journal) => journal?.entries() ?? []);
  const named = name === "all" ? entries : [findWrite(entries, name)];
  return named.length === 0
    ? []
    : confirm(
        writeContext,
        named.map(({ operation }) => operation),
      );
}
