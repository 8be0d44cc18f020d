/** What was done in the range, row by row: files, references, commands that name any, and how sessions ended. */
import type { RefEvidence, RefType } from "../../model/session/refs.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { text } from "./range.ts";

/** All of these are asked within `withRange`. `session` is the key of its rows. */
export interface ChangedFile {
  readonly session: string;
  readonly turn: number;
  readonly path: string;
  readonly action: "created" | "edited" | "deleted";
}

/**
 * The store keeps the first change of each file. A later one shows in a call of the same tool with the same path, so a
 * file that was changed before the range and in it again is found by that.
 */
export function changedFiles(db: Database): ChangedFile[] {
  return db
    .prepare(
      `SELECT session, path, action, turn FROM (
         SELECT f.session_id AS session, f.file_path AS path, f.action,
                iif(f.turn_index BETWEEN r.first AND r.last, f.turn_index,
                    (SELECT max(k.turn_index) FROM tool_calls k
                      WHERE k.session_id = r.session AND k.turn_index BETWEEN r.first AND r.last
                        AND k.label = f.file_path AND k.tool_name = f.tool_name AND k.status = 'ok')) AS turn
           FROM ranged r CROSS JOIN session_files f ON f.session_id = r.session
          WHERE f.action <> 'read') WHERE turn IS NOT NULL ORDER BY session, turn, path`,
    )
    .all() as unknown as ChangedFile[];
}

export interface FoundRef {
  readonly session: string;
  readonly turn: number;
  readonly type: RefType;
  readonly value: string;
  readonly evidence: RefEvidence;
}

export const foundRefs = (db: Database): FoundRef[] =>
  db
    .prepare(
      `SELECT f.session_id AS session, f.turn_index AS turn, f.ref_type AS type, f.ref_value AS value, f.evidence
         FROM ranged r CROSS JOIN session_refs f ON f.session_id = r.session
        WHERE f.turn_index BETWEEN r.first AND r.last ORDER BY f.session_id, f.turn_index, f.id`,
    )
    .all() as unknown as FoundRef[];

export interface HostCommand {
  readonly session: string;
  readonly turn: number;
  readonly command: string;
}

/** A reference is stored where it was first found; a command in the range may name it again, as `gh pr merge 421` does. */
export const hostCommands = (db: Database): HostCommand[] =>
  db
    .prepare(
      `SELECT k.session_id AS session, k.turn_index AS turn, k.label AS command
         FROM ranged r CROSS JOIN tool_calls k ON k.session_id = r.session AND k.turn_index BETWEEN r.first AND r.last
        WHERE k.status = 'ok' AND (k.label GLOB '*gh [pi]*' OR k.label GLOB '*glab [mi]*') ORDER BY k.id`,
    )
    .all() as unknown as HostCommand[];

export interface LastTurn {
  readonly session: string;
  readonly turn: number;
  readonly prompt: string;
  /** The end of the answer; missing where there was none. */
  readonly answer: string | undefined;
  /** And its beginning. */
  readonly opening: string | undefined;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  /** The call that came last, when there was any. */
  readonly call?: { readonly status: string; readonly tool: string; readonly label: string | undefined };
}

/** Enough of an answer to see whether it ends with a question, and what it begins with. */
const ANSWER_PART = 2000;

/** Of each session, the last turn in the range. */
export const lastTurns = (db: Database): LastTurn[] => lastTurnsWhere(db, "1", []);

/** The same of some sessions. */
export const lastTurnsOf = (db: Database, sessions: readonly string[]): LastTurn[] =>
  lastTurnsWhere(db, "r.session IN (SELECT value FROM json_each(?))", [JSON.stringify(sessions)]);

function lastTurnsWhere(db: Database, where: string, values: readonly string[]): LastTurn[] {
  const rows = db
    .prepare(
      `SELECT t.session_id AS session, t.turn_index AS turn, substr(t.user_message, 1, 600) AS prompt,
              substr(t.assistant_response, -${ANSWER_PART}) AS answer,
              substr(t.assistant_response, 1, ${ANSWER_PART}) AS opening, t.timestamp AS startedAt, t.ended_at AS endedAt,
              k.status, k.tool_name AS tool, k.label
         FROM ranged r CROSS JOIN turns t ON t.session_id = r.session AND t.turn_index = r.last
         LEFT JOIN call_rows k ON k.id = (SELECT max(c.id) FROM tool_calls c
                                            WHERE c.session_id = r.session AND c.turn_index = r.last)
        WHERE ${where}`,
    )
    .all(...values);
  return rows.map((row) => ({
    session: String(row.session),
    turn: Number(row.turn),
    prompt: String(row.prompt ?? ""),
    answer: text(row.answer),
    opening: text(row.opening),
    startedAt: text(row.startedAt),
    endedAt: text(row.endedAt),
    ...(row.status !== null && {
      call: { status: String(row.status), tool: String(row.tool), label: text(row.label) },
    }),
  }));
}
