/** Finds what needs a block of the vault: backups of writes, and archived sessions. */

import { type EditPlan, sessionsOf } from "../../model/plan.ts";
import type { SessionKey } from "../../model/values/id.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { BLOCK } from "../vault/block.ts";
import { guarded } from "./open.ts";

/** A file that is in the vault, partly in a certain block. */
export interface Need {
  /** The file as it was called. */
  readonly path: string;
  /** The bytes of the file that are in the block. */
  readonly start: number;
  readonly end: number;
  readonly session: SessionKey;
  /** The write whose backup the file belongs to; without one it is part of an archived session. */
  readonly write?: { readonly operation: string; readonly kind: EditPlan["kind"]; readonly title: string };
}

export const namedBlocks = (db: Database, folder: string): string[] =>
  guarded(folder, () =>
    db
      .prepare("SELECT DISTINCT hash FROM kept_blocks ORDER BY hash")
      .all()
      .map(({ hash }) => String(hash)),
  );

export function needsOf(db: Database, folder: string, hash: string): Need[] {
  return guarded(folder, () =>
    db
      .prepare(
        `SELECT kept_files.path, kept_files.size, position, operation, journal.plan,
           archived_sessions.source, archived_sessions.session
         FROM kept_blocks JOIN kept_files ON kept_files.id = kept_blocks.file
         LEFT JOIN journal USING (operation)
         LEFT JOIN archived_sessions ON archived_sessions.id = kept_files.archived
         WHERE hash = ? ORDER BY journal.number, archived_sessions.id, kept_files.path, position`,
      )
      .all(hash)
      .map(toNeed),
  );
}

function toNeed(row: Record<string, unknown>): Need {
  const path = String(row.path);
  const start = Number(row.position) * BLOCK;
  const where = { path, start, end: Math.min(start + BLOCK, Number(row.size)) };
  if (row.operation === null)
    return { ...where, session: { source: String(row.source), id: String(row.session) } };
  const plan = JSON.parse(String(row.plan)) as EditPlan;
  // Of several sessions, the one whose id is in the name of the file.
  const { source, id } = sessionsOf(plan).find((each) => path.includes(each.id)) ?? plan.session;
  const { kind, title } = plan;
  return { ...where, session: { source, id }, write: { operation: String(row.operation), kind, title } };
}
