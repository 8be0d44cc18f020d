/** The backups of our writes: their sizes, whether the write was confirmed, and their removal. */
import type { PlannedSession } from "../../model/plan.ts";
import { lookThrough } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { type Database, transaction } from "../../platform/sqlite/sqlite.ts";
import { openVault } from "../vault/vault.ts";
import { removeUnnamed } from "./garbage.ts";
import { guarded, openState } from "./open.ts";

/** A file as a write left it; without a size it took it away. */
export interface Outcome {
  readonly path: string;
  readonly size?: number;
  readonly ino?: number;
}

export interface BackupFacts {
  readonly operation: string;
  readonly state: "pending" | "committed" | "reverted";
  readonly beganAt: string;
  readonly confirmedAt?: string;
  readonly releasedAt?: string;
  readonly outcomes: readonly Outcome[];
  readonly files: number;
  /** Of the files as they were. */
  readonly bytes: number;
  readonly blocks: readonly { readonly hash: string; readonly size: number }[];
  /** What the rows of an agent's own database take. */
  readonly rowBytes: number;
}

export interface Backups {
  /** In the order of the writes, those that never had one included. */
  all(): BackupFacts[];
  confirm(operations: readonly string[]): void;
  /** They cannot be undone from now on. */
  release(operations: readonly string[]): void;
  close(): void;
}

/** How a write has left its sessions. */
export async function readOutcomes(fs: SessionFs, sessions: readonly PlannedSession[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { path } of sessions) {
    const file = await lookThrough(fs, path);
    const size = file?.kind === "file" ? file.size : undefined;
    const ino = file?.kind === "file" ? file.ino : undefined;
    outcomes.push({ path, ...(size !== undefined && { size }), ...(ino !== undefined && { ino }) });
  }
  return outcomes;
}

/** Within the transaction that commits the write. */
export function noteOutcomes(db: Database, operation: string, outcomes: readonly Outcome[]): void {
  const insert = db.prepare("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?)");
  for (const { path, size = null, ino = null } of outcomes) insert.run(operation, path, size, ino);
}

export function openBackups(folder: string, now: () => Date): Backups {
  const db = openState(folder, now);
  const vault = openVault(folder);
  const blocksOf = db.prepare(
    "SELECT DISTINCT hash FROM kept_blocks JOIN kept_files ON kept_files.id = kept_blocks.file WHERE operation = ?",
  );
  const hashesOf = (operation: string): string[] => blocksOf.all(operation).map(({ hash }) => String(hash));
  const stamp = (column: "confirmed_at" | "released_at", operations: readonly string[]): void => {
    const update = db.prepare(`UPDATE journal SET ${column} = ? WHERE operation = ? AND ${column} IS NULL`);
    for (const operation of operations) update.run(now().toISOString(), operation);
  };
  const toFacts = (row: Record<string, unknown>): BackupFacts => {
    const operation = String(row.operation);
    return {
      operation,
      state: row.state as BackupFacts["state"],
      beganAt: String(row.began_at),
      ...(row.confirmed_at !== null && { confirmedAt: String(row.confirmed_at) }),
      ...(row.released_at !== null && { releasedAt: String(row.released_at) }),
      outcomes: db.prepare("SELECT * FROM outcomes WHERE operation = ?").all(operation).map(toOutcome),
      files: Number(row.files),
      bytes: Number(row.bytes),
      blocks: hashesOf(operation).map((hash) => ({ hash, size: vault.sizeOf(hash) })),
      rowBytes: Number(row.row_bytes),
    };
  };
  return {
    all: () =>
      guarded(folder, () =>
        db
          .prepare(
            `SELECT operation, state, began_at, confirmed_at, released_at,
               (SELECT count(*) FROM kept_files WHERE kept_files.operation = journal.operation) AS files,
               (SELECT coalesce(sum(size), 0) FROM kept_files WHERE kept_files.operation = journal.operation) AS bytes,
               (SELECT coalesce(sum(length(rows)), 0) FROM errands WHERE errands.operation = journal.operation) AS row_bytes
             FROM journal ORDER BY number`,
          )
          .all()
          .map(toFacts),
      ),
    confirm: (operations) => guarded(folder, () => transaction(db, () => stamp("confirmed_at", operations))),
    release: (operations) =>
      guarded(folder, () => {
        const hashes = operations.flatMap(hashesOf);
        transaction(db, () => {
          for (const operation of operations) {
            db.prepare("DELETE FROM kept_files WHERE operation = ?").run(operation);
            db.prepare("UPDATE errands SET rows = NULL WHERE operation = ?").run(operation);
          }
          stamp("released_at", operations);
        });
        // Only now: a crash in between leaves unneeded blocks, which the next full check finds.
        removeUnnamed(db, vault, new Set(hashes));
      }),
    close: () => db.close(),
  };
}

const toOutcome = ({ path, size, ino }: Record<string, unknown>): Outcome => ({
  path: String(path),
  ...(size !== null && { size: Number(size) }),
  ...(ino !== null && { ino: Number(ino) }),
});
