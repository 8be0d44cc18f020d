/** The byte ranges of a session's turns in its log, valid as long as the log has not changed since it was indexed. */
import type { Artifact, Session } from "../model/session/session.ts";
import type { TurnRange } from "../model/session/turn-range.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { findSession } from "./sessions.ts";

export interface StoredTurn {
  readonly index: number;
  readonly endedAt?: string;
  /** Nothing where the turn cannot be read on its own. */
  readonly range?: TurnRange;
}

export interface StoredTurns {
  readonly session: Session;
  /** Those that were asked for, as far as there are so many. */
  readonly turns: readonly StoredTurn[];
}

/** Nothing for a session that the store does not know, or not as it is now. */
export function findTurns(
  db: Database,
  { source, path, fingerprint, vanishedAt }: Artifact,
  version: number,
  { first, count }: { readonly first: number; readonly count: number },
): StoredTurns | undefined {
  if (vanishedAt !== undefined) return undefined;
  const mark = db
    .prepare(
      "SELECT session_id FROM fingerprints WHERE source = ? AND path = ? AND size = ? AND mtime_ms = ? AND ino = ? AND version = ?",
    )
    .get(source, path, fingerprint.size, fingerprint.mtimeMs, fingerprint.ino, version);
  const session = mark && findSession(db, String(mark.session_id));
  if (!session || session.vanishedAt !== undefined) return undefined;
  const rows = db
    .prepare(
      "SELECT turn_index, ended_at, log_file, byte_start, byte_end, log_line, digest FROM turns WHERE session_id = ? AND turn_index >= ? ORDER BY turn_index LIMIT ?",
    )
    .all(String(mark.session_id), first, count);
  return { session, turns: rows.map(toStoredTurn) };
}

function toStoredTurn(row: Record<string, unknown>): StoredTurn {
  const range = toRange(row);
  return {
    index: Number(row.turn_index),
    ...(row.ended_at !== null && { endedAt: String(row.ended_at) }),
    ...(range && { range }),
  };
}

export const toRange = (row: Record<string, unknown>): TurnRange | undefined =>
  row.byte_start === null
    ? undefined
    : {
        start: Number(row.byte_start),
        end: Number(row.byte_end),
        line: Number(row.log_line),
        digest: Number(row.digest),
        ...(row.log_file !== null && { file: String(row.log_file) }),
      };
