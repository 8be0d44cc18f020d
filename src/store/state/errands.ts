/**
 * What a write leaves to be done: the rows that an agent's own database has of its sessions follow their files. Noted with
 * the write itself, so that it is done even when the process dies in between; what was there before is kept for `undo`.
 */
import { deserialize, serialize } from "node:v8";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { PlannedSession } from "../../model/plan.ts";
import { type Database, transaction } from "../../platform/sqlite/sqlite.ts";
import type { RowImage } from "../copilot/image.ts";
import { markErrands, unmarkErrands } from "./errands-due.ts";
import { guarded, openState } from "./open.ts";

export interface Errand {
  readonly operation: string;
  readonly session: PlannedSession;
  /** The rows to put back, when it undoes a write that kept some. */
  readonly before?: RowImage;
  /** Another write to the session lies between: then what was kept is older than what is wanted. */
  readonly isOlder: boolean;
}

export interface Errands {
  /** In the order of the writes. */
  due(): Errand[];
  /** The first time counts: what is there later may be half done. */
  keep(errand: Errand, rows: RowImage): void;
  finish(errand: Errand): void;
  close(): void;
}

/** Within the transaction that commits the write. */
export function noteErrands(
  db: Database,
  folder: string,
  operation: string,
  sessions: readonly PlannedSession[],
): void {
  if (sessions.length === 0) return;
  markErrands(folder);
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

export function openErrands(folder: string, now: () => Date): Errands {
  const db = openState(folder, now);
  const where = "WHERE operation = ? AND source = ? AND session = ?";
  const keyOf = ({ operation, session: { source, id } }: Errand) => [operation, source, id] as const;
  return {
    due: () => guarded(folder, () => db.prepare(DUE).all().map(toErrand)),
    keep: (errand, rows) =>
      guarded(
        folder,
        () =>
          void db
            .prepare(`UPDATE errands SET rows = ? ${where} AND rows IS NULL`)
            .run(packRows(rows), ...keyOf(errand)),
      ),
    finish: (errand) =>
      guarded(folder, () =>
        transaction(db, () => {
          db.prepare(`UPDATE errands SET is_due = 0 ${where}`).run(...keyOf(errand));
          // Under the lock that whoever notes one holds, too.
          if (!db.prepare("SELECT 1 FROM errands WHERE is_due").get()) unmarkErrands(folder);
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

function toErrand(row: Record<string, unknown>): Errand {
  const before = unpackRows(row.kept);
  return {
    operation: String(row.operation),
    session: { source: String(row.source), id: String(row.session), path: String(row.path) },
    ...(before && { before }),
    isOlder: Boolean(row.is_older),
  };
}
