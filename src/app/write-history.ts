/** Our writes, for people who look back: what was done, what became of it, and what its backup takes. */

import type { Workshop } from "../edit/recover.ts";
import type { EditPlan } from "../model/plan.ts";
import { askJournal, type JournalEntry } from "../store/state/journal.ts";

export interface PastWrite {
  readonly operation: string;
  readonly kind: EditPlan["kind"];
  readonly at: string;
  readonly state: "done" | "undone" | "failed" | "pending";
  readonly session: EditPlan["session"];
  readonly from: EditPlan["from"];
  readonly title: string;
  readonly undoes?: string;
  readonly backup: Backup;
}

export interface Backup {
  readonly files: number;
  /** Of the files, and of what they take in the vault. */
  readonly bytes: number;
  readonly stored: number;
}

/** Latest first. */
export const readHistory = ({ home, now }: Workshop): PastWrite[] =>
  askJournal(home, now, (journal) => {
    if (!journal) return [];
    const entries = journal.entries();
    const undone = new Set(
      entries.flatMap(({ state, plan }) => (state === "committed" && plan.undoes ? [plan.undoes] : [])),
    );
    return entries.map((entry) => {
      const files = journal.backupOf(entry.operation);
      const blocks = new Set(files.flatMap((file) => file.blocks));
      return {
        ...describe(entry, undone),
        backup: {
          files: files.length,
          bytes: files.reduce((sum, file) => sum + file.size, 0),
          stored: [...blocks].reduce((sum, hash) => sum + journal.vault.sizeOf(hash), 0),
        },
      };
    });
  });

function describe(
  { operation, plan, state, beganAt }: JournalEntry,
  undone: ReadonlySet<string>,
): Omit<PastWrite, "backup"> {
  const { kind, session, from, title, undoes } = plan;
  const became = { pending: "pending", committed: "done", reverted: "failed" } as const;
  return {
    operation,
    kind,
    at: beganAt,
    state: undone.has(operation) ? "undone" : became[state],
    session,
    from,
    title,
    ...(undoes !== undefined && { undoes }),
  };
}
