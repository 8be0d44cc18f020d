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
  artifact: Artifact,
  version: number,
  { first, count }: { readonly first: number; readonly count: number },
): StoredTurns | undefined {
  const current = findCurrent(db, artifact, version);
  if (!current) return undefined;
  const rows = db
    .prepare(
      "SELECT turn_index, ended_at, log_file, byte_start, byte_end, log_line, digest FROM turns WHERE session_id = ? AND turn_index >= ? ORDER BY turn_index LIMIT ?",
    )
    .all(current.id, first, count);
  return { session: current.session, turns: rows.map(toStoredTurn) };
}

/** The nearest prompt at or before a line of the session's own file, by which that line is found without those before. */
export function findLineBefore(
  db: Database,
  artifact: Artifact,
  version: number,
  line: number,
): { readonly line: number; readonly start: number } | undefined {
  const current = findCurrent(db, artifact, version);
  const row =
    current &&
    db
      .prepare(
        "SELECT log_line, byte_start FROM turns WHERE session_id = ? AND log_file IS NULL AND log_line <= ? ORDER BY log_line DESC LIMIT 1",
      )
      .get(current.id, line);
  return row && { line: Number(row.log_line), start: Number(row.byte_start) };
}

/** The session with the key of its rows, unless its file or its entry in the vendor's list has changed since. */
export function findCurrent(
  db: Database,
  { source, path, fingerprint, listed, vanishedAt }: Artifact,
  version: number,
): { readonly id: string; readonly session: Session } | undefined {
  if (vanishedAt !== undefined) return undefined;
  const mark = db
    .prepare(
      "SELECT session_id FROM fingerprints WHERE source = ? AND path = ? AND size = ? AND mtime_ms = ? AND ino = ? AND version = ? AND listed IS ?",
    )
    .get(
      source,
      path,
      fingerprint.size,
      fingerprint.mtimeMs,
      fingerprint.ino,
      version,
      listed === undefined ? null : JSON.stringify(listed),
    );
  const id = mark && String(mark.session_id);
  const session = id === undefined ? undefined : findSession(db, id);
  return id === undefined || !session || session.vanishedAt !== undefined ? undefined : { id, session };
}

export function toStoredTurn(row: Record<string, unknown>): StoredTurn {
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
