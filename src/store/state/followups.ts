/**
 * Followups of a write: updating the rows that an agent's own database has of the changed sessions. They are recorded
 * with the write itself, so that they are done even if the process dies in between; the old rows are kept for `undo`.
 */
import { deserialize, serialize } from "node:v8";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { PlannedSession } from "../../model/plan.ts";
import { type Database, transaction } from "../../platform/sqlite/sqlite.ts";
import type { RowImage } from "../copilot/image.ts";
import { markFollowups, unmarkFollowups } from "./followups-due.ts";
import { guarded, openState } from "./open.ts";

export interface Followup {
  readonly operation: string;
  readonly session: PlannedSession;
  /** The rows to put back, when it undoes a write that kept some. */
  readonly before?: RowImage;
  /** Another write to the session lies between: then what was kept is older than what is wanted. */
  readonly isOlder: boolean;
}

export interface Followups {
  /** In the order of the writes. */
  due(): Followup[];
  /** The first time counts: what is there later may be half done. */
  keep(followup: Followup, rows: RowImage): void;
  finish(followup: Followup): void;
  close(): void;
}

/** Within the transaction that commits the write. */
export function noteFollowups(
  db: Database,
  folder: string,
  operation: string,
  sessions: readonly PlannedSession[],
): void {
  if (sessions.length === 0) return;
  markFollowups(folder);
  const insert = db.prepare(
    "INSERT OR IGNORE INTO errands (operation, source, session, path) VALUES (?, ?, ?, ?)",
  );
  for (const { source, id, path } of sessions) insert.run(operation, source, id, path);
}

const DUE = `
  SELECT errands.*, kept.rows AS kept, EXISTS (
    SELECT 1 FROM errands AS other JOIN journal AS its USING (operation)
    WHERE other.source = errands.source AND other.session = errands.session AND its.state = 'committed'
      AND its.number > undone.number AND its.number < journal.number
  ) AS is_older
  FROM errands JOIN journal USING (operation)
  LEFT JOIN journal AS undone ON undone.operation = journal.plan ->> 'undoes'
  LEFT JOIN errands AS kept ON kept.operation = undone.operation AND kept.source = errands.source AND kept.session = errands.session
  WHERE errands.is_due ORDER BY journal.number`;

export function openFollowups(folder: string, now: () => Date): Followups {
  const db = openState(folder, now);
  const where = "WHERE operation = ? AND source = ? AND session = ?";
  const keyOf = ({ operation, session: { source, id } }: Followup) => [operation, source, id] as const;
  return {
    due: () => guarded(folder, () => db.prepare(DUE).all().map(toFollowup)),
    keep: (followup, rows) =>
      guarded(
        folder,
        () =>
          void db
            .prepare(`UPDATE errands SET rows = ? ${where} AND rows IS NULL`)
            .run(packRows(rows), ...keyOf(followup)),
      ),
    finish: (followup) =>
      guarded(folder, () =>
        transaction(db, () => {
          db.prepare(`UPDATE errands SET is_due = 0 ${where}`).run(...keyOf(followup));
          // Under the same lock as `noteFollowups`.
          if (!db.prepare("SELECT 1 FROM errands WHERE is_due").get()) unmarkFollowups(folder);
        }),
      ),
    close: () => db.close(),
  };
}

/** What a write found in a database before it changed it. */
export function rowsKeptBy(
  folder: string,
  now: () => Date,
  operation: string,
  { source, id }: PlannedSession,
): RowImage | undefined {
  const db = openState(folder, now);
  try {
    const row = guarded(folder, () =>
      db
        .prepare("SELECT rows FROM errands WHERE operation = ? AND source = ? AND session = ?")
        .get(operation, source, id),
    );
    return unpackRows(row?.rows);
  } finally {
    db.close();
  }
}

/** Nothing where they are damaged: then the rows are made from the session's files, as if none had been kept. */
export function unpackRows(bytes: unknown): RowImage | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  try {
    return deserialize(zstdDecompressSync(bytes)) as RowImage;
  } catch {
    return undefined;
  }
}

/** With a checksum, so that a flipped bit in state.db does not become other rows. */
const packRows = (rows: RowImage): Uint8Array =>
  zstdCompressSync(serialize(rows), { params: { [constants.ZSTD_c_checksumFlag]: 1 } });

function toFollowup(row: Record<string, unknown>): Followup {
  const before = unpackRows(row.kept);
  return {
    operation: String(row.operation),
    session: { source: String(row.source), id: String(row.session), path: String(row.path) },
    ...(before && { before }),
    isOlder: Boolean(row.is_older),
  };
}
