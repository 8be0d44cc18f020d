/** Which sessions changed a file, in which turns, and what else moved files: for questions about one file. */
import type { SourceId } from "../model/session/session.ts";
import type { SessionKey } from "../model/values/id.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { MOVES, NAME_OF_FILE, nameOf } from "./file-columns.ts";
import { type StoredTurn, toStoredTurn } from "./turn-ranges.ts";

/** A session, by the key of its rows, that changed a file of some name. */
export interface FileEditor {
  readonly row: string;
  readonly source: SourceId;
  readonly id: string;
  readonly title: string;
  /** The file as the session names it. */
  readonly path: string;
  /** The first turn that changed it. */
  readonly turn: number;
  readonly workspace?: string;
  readonly repository?: string;
  /** Its files are gone. */
  readonly isGone: boolean;
}

type Row = Readonly<Record<string, unknown>>;

/** By the last name in the path of a file, in any case. */
export function findFileEditors(db: Database, path: string): FileEditor[] {
  return db
    .prepare(
      `SELECT f.session_id AS row, s.source, s.vendor_id AS id, s.title, f.file_path AS path,
              coalesce(f.turn_index, 0) AS turn, s.cwd, s.repository, s.vanished_at
         FROM session_files f JOIN sessions s ON s.id = f.session_id
        WHERE ${NAME_OF_FILE.replaceAll("file_path", "f.file_path")} = ${nameOf("?1")} AND f.action <> 'read'`,
    )
    .all(path)
    .map(toEditor);
}

function toEditor(row: Row): FileEditor {
  return {
    row: String(row.row),
    source: String(row.source),
    id: String(row.id),
    title: String(row.title),
    path: String(row.path),
    turn: Number(row.turn),
    isGone: row.vanished_at !== null,
    ...(row.cwd !== null && { workspace: String(row.cwd) }),
    ...(row.repository !== null && { repository: String(row.repository) }),
  };
}

export interface TurnOfFiles extends StoredTurn {
  /** It changed files. */
  readonly isChanging: boolean;
}

/** The turns of a session from one on, up to the last that changed files. */
export function findTurnsOfFiles(db: Database, row: string, from: number): TurnOfFiles[] {
  const turns = db
    .prepare(
      `SELECT turn_index, ended_at, log_file, byte_start, byte_end, log_line, digest, files_changed FROM turns
        WHERE session_id = ? AND turn_index >= ? ORDER BY turn_index`,
    )
    .all(row, from)
    .map((each) => ({ ...toStoredTurn(each), isChanging: Number(each.files_changed) > 0 }));
  return turns.slice(0, turns.findLastIndex(({ isChanging }) => isChanging) + 1);
}

/** A turn that is a copy: the session that it belongs to, and its number there. */
export interface TurnOwner extends SessionKey {
  readonly row: string;
  readonly title: string;
  readonly turn: number;
  readonly isGone: boolean;
}

/** By their numbers in the copy. */
export function findTurnOwners(db: Database, row: string): Map<number, TurnOwner> {
  const rows = db
    .prepare(
      `SELECT c.turn_index AS copied, s.id AS row, s.source, s.vendor_id AS id, s.title, s.vanished_at,
              coalesce((SELECT min(o.turn_index) FROM turns o WHERE o.session_id = c.owner AND o.work = t.work),
                       c.turn_index) AS turn
         FROM turn_copies c
         JOIN turns t ON t.session_id = c.session_id AND t.turn_index = c.turn_index
         JOIN sessions s ON s.id = c.owner
        WHERE c.session_id = ?`,
    )
    .all(row);
  return new Map(
    rows.map((each) => [
      Number(each.copied),
      {
        row: String(each.row),
        source: String(each.source),
        id: String(each.id),
        title: String(each.title),
        turn: Number(each.turn),
        isGone: each.vanished_at !== null,
      },
    ]),
  );
}

/** A command that moved something. */
export interface MoveCommand {
  /** Its beginning. */
  readonly command: string;
  readonly workspace: string;
  /** When its turn ended, or began (ISO 8601). */
  readonly at?: string;
}

/** Of the sessions in a folder or below it, or of a repository. */
export function findMoveCommands(
  db: Database,
  folder: string,
  repository: string | undefined,
): MoveCommand[] {
  return db
    .prepare(
      `SELECT k.label, s.cwd, coalesce(t.ended_at, t.timestamp) AS at
         FROM sessions s
         JOIN call_rows k INDEXED BY idx_calls_moves ON k.session = s.number
         LEFT JOIN turns t ON t.session_id = s.id AND t.turn_index = k.turn_index
        WHERE (s.cwd = ?1 OR (s.cwd > ?1 || '/' AND s.cwd < ?1 || '0') OR s.repository = ?2)
          AND s.cwd IS NOT NULL AND ${MOVES} AND k.status = 'ok'`,
    )
    .all(folder, repository ?? null)
    .map(({ label, cwd, at }) => ({
      command: String(label),
      workspace: String(cwd),
      ...(at !== null && { at: String(at) }),
    }));
}

/** The folders that sessions are about. */
export const findSessionFolders = (db: Database): string[] =>
  db
    .prepare("SELECT DISTINCT cwd FROM sessions WHERE cwd IS NOT NULL")
    .all()
    .map(({ cwd }) => String(cwd));

/** A file as some sessions of one folder name it. */
export interface ChangedFileRow {
  readonly path: string;
  readonly workspace?: string;
  readonly sessions: readonly string[];
  /** When a session last began to change it (ISO 8601). */
  readonly at?: string;
}

/** Files that sessions changed, the latest first; `text` is a part of the path. */
export function findChangedFiles(db: Database, text: string, limit: number): ChangedFileRow[] {
  return db
    .prepare(
      `SELECT f.file_path AS path, s.cwd, json_group_array(s.id) AS sessions,
              max(coalesce(f.first_seen_at, s.updated_at)) AS at
         FROM session_files f JOIN sessions s ON s.id = f.session_id
        WHERE f.action <> 'read' AND s.vanished_at IS NULL AND instr(lower(f.file_path), lower(?)) > 0
        GROUP BY 1, 2 ORDER BY at DESC, 1 LIMIT ?`,
    )
    .all(text, limit)
    .map(({ path, cwd, sessions, at }) => ({
      path: String(path),
      sessions: JSON.parse(String(sessions)) as string[],
      ...(cwd !== null && { workspace: String(cwd) }),
      ...(at !== null && { at: String(at) }),
    }));
}
