/** The journal: every write to an agent's files, recorded before it happens, with the backup of what it changes. */

import type { EditPlan } from "../../model/plan.ts";
import type { SessionKey } from "../../model/values/id.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import { transaction } from "../../platform/sqlite/sqlite.ts";
import type { KeptFile } from "../vault/kept-file.ts";
import { openVault, type Vault } from "../vault/vault.ts";
import { noteOutcomes, type Outcome } from "./backups.ts";
import { noteFollowups } from "./followups.ts";
import { guarded, openState, statePath } from "./open.ts";

export interface JournalEntry {
  readonly operation: string;
  readonly plan: EditPlan;
  readonly state: "pending" | "committed" | "reverted";
  readonly beganAt: string;
  readonly endedAt?: string;
  /** Its backup is gone since then. */
  readonly releasedAt?: string;
}

export interface Journal {
  readonly vault: Vault;
  /** The intent and the backup, in one transaction. False when a block is gone since it was put: put it again. */
  begin(operation: string, plan: EditPlan, backup: readonly KeptFile[]): Promise<boolean>;
  /** It happened; what it made, what it took back and what is left to do is noted with it. */
  commit(operation: string, plan: EditPlan, outcomes: readonly Outcome[]): void;
  /** It did not happen. */
  revert(operation: string): void;
  /** One of them, without reading all the others, some of which are large. */
  find(operation: string): JournalEntry | undefined;
  /** Latest first. */
  entries(): JournalEntry[];
  pending(): JournalEntry[];
  backupOf(operation: string): KeptFile[];
  close(): void;
}

/** For reading: if nothing was ever written there is no journal, and none is created. */
export function askJournal<T>(folder: string, now: () => Date, ask: (journal?: Journal) => T): T {
  if (!isThere(statePath(folder))) return ask();
  const journal = openJournal(folder, now);
  try {
    return ask(journal);
  } finally {
    journal.close();
  }
}

const LATEST_FIRST = "ORDER BY number DESC";

export function openJournal(folder: string, now: () => Date): Journal {
  const db = openState(folder, now);
  const vault = openVault(folder);
  const end = db.prepare("UPDATE journal SET state = ?, ended_at = ? WHERE operation = ?");
  const time = (): string => now().toISOString();
  const begin = (operation: string, plan: EditPlan, backup: readonly KeptFile[]): void => {
    db.prepare(
      "INSERT INTO journal (operation, kind, plan, state, began_at, number) SELECT ?, ?, ?, 'pending', ?, 1 + coalesce(max(number), 0) FROM journal",
    ).run(operation, plan.kind, JSON.stringify(plan), time());
    const insertFile = db.prepare(
      "INSERT INTO kept_files (operation, path, size, mtime_ms, ino, mode) VALUES (?, ?, ?, ?, ?, ?)",
    );
    const insertBlock = db.prepare("INSERT INTO kept_blocks (file, position, hash) VALUES (?, ?, ?)");
    for (const { path, size, mtimeMs, ino, mode, blocks } of backup) {
      const { lastInsertRowid } = insertFile.run(operation, path, size, mtimeMs, ino, mode);
      for (const [position, hash] of blocks.entries()) insertBlock.run(lastInsertRowid, position, hash);
    }
  };
  const noteLineage = (operation: string, child: SessionKey, parent: SessionKey, kind: string): void =>
    void db
      .prepare("INSERT OR REPLACE INTO lineage VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(child.source, child.id, parent.source, parent.id, kind, time(), operation);
  const find = (operation: string): JournalEntry | undefined => {
    const row = db.prepare("SELECT * FROM journal WHERE operation = ?").get(operation);
    return row && toEntry(row);
  };
  /** What an undo had undone holds again when that undo is undone, and what that had undone does not, and so on. */
  const noteUndone = (operation: string | undefined): void => {
    let holds = false;
    for (let at = operation; at !== undefined; holds = !holds) {
      end.run(holds ? "committed" : "reverted", time(), at);
      db.prepare("DELETE FROM lineage WHERE operation = ?").run(at);
      const { session, from, lineage, undoes } = find(at)?.plan ?? {};
      if (holds && lineage && session && from) noteLineage(at, session, from, lineage);
      at = undoes;
    }
  };
  return {
    vault,
    async begin(operation, plan, backup) {
      await vault.flush();
      return guarded(folder, () =>
        transaction(db, () => {
          // Under the write lock, which the removal of blocks also holds, so that existing blocks stay.
          if (!backup.every(({ blocks }) => blocks.every(vault.isWhole))) return false;
          begin(operation, plan, backup);
          return true;
        }),
      );
    },
    commit: (operation, plan, outcomes) =>
      guarded(folder, () =>
        transaction(db, () => {
          end.run("committed", time(), operation);
          if (plan.became)
            db.prepare("UPDATE journal SET plan = ? WHERE operation = ?").run(
              JSON.stringify(plan),
              operation,
            );
          // The sessions of a home that is copied are only kept from being opened meanwhile: they stay as they are.
          noteFollowups(db, folder, operation, plan.kind === "migrate" ? [] : plan.closed);
          noteOutcomes(db, operation, outcomes);
          if (plan.lineage) noteLineage(operation, plan.session, plan.from, plan.lineage);
          noteUndone(plan.undoes);
        }),
      ),
    revert: (operation) => guarded(folder, () => void end.run("reverted", time(), operation)),
    find: (operation) => guarded(folder, () => find(operation)),
    entries: () =>
      guarded(folder, () => db.prepare(`SELECT * FROM journal ${LATEST_FIRST}`).all().map(toEntry)),
    pending: () =>
      guarded(folder, () =>
        db.prepare(`SELECT * FROM journal WHERE state = 'pending' ${LATEST_FIRST}`).all().map(toEntry),
      ),
    backupOf: (operation) =>
      guarded(folder, () => {
        const hashes = db.prepare("SELECT hash FROM kept_blocks WHERE file = ? ORDER BY position");
        return db
          .prepare("SELECT * FROM kept_files WHERE operation = ? ORDER BY path")
          .all(operation)
          .map((row) => ({
            path: String(row.path),
            size: Number(row.size),
            mtimeMs: Number(row.mtime_ms),
            ino: Number(row.ino),
            mode: Number(row.mode),
            blocks: hashes.all(Number(row.id)).map(({ hash }) => String(hash)),
          }));
      }),
    close() {
      vault.abandon();
      db.close();
    },
  };
}

const toEntry = (row: Record<string, unknown>): JournalEntry => ({
  operation: String(row.operation),
  plan: JSON.parse(String(row.plan)) as EditPlan,
  state: row.state as JournalEntry["state"],
  beganAt: String(row.began_at),
  ...(row.ended_at !== null && { endedAt: String(row.ended_at) }),
  ...(row.released_at !== null && { releasedAt: String(row.released_at) }),
});
