/** What recent sessions of a repository say that may be worth keeping on its board, from the rows of the store. */
import type { SessionKey } from "../model/values/id.ts";
import type { Database, Statement } from "../platform/sqlite/sqlite.ts";

export interface WorkScope {
  readonly repository: string;
  /** Only sessions of this branch. */
  readonly branch?: string;
  /** ISO; active since then. */
  readonly since: string;
}

/** Where something was said or done. */
export interface WorkPlace {
  readonly session: SessionKey & { readonly title: string };
  /** Missing where the session did not record it. */
  readonly branch?: string;
  readonly turn?: number;
}

/** Each in the order of time. Turns that a copy inherited count once, where they were first. */
export interface BoardWork {
  prompts(): Iterable<WorkPlace & { readonly text: string }>;
  /** The sections of a checkpoint that tell how things are done, and why. */
  checkpoints(): (WorkPlace & { readonly title: string; readonly text: string })[];
  /** Calls that succeeded, by what they ran; of other calls, by what they are known by. */
  calls(): Iterable<WorkPlace & { readonly label: string }>;
  /** Files that were created, edited or deleted. */
  files(): Iterable<WorkPlace & { readonly path: string; readonly workspace?: string }>;
}

const PLACE = "s.source, s.vendor_id, s.title, s.branch";
const RECENT = `lower(s.repository) = lower(:repository) AND (:branch IS NULL OR s.branch = :branch)
  AND s.vanished_at IS NULL AND coalesce(s.updated_at, s.created_at) >= :since`;
const notInherited = (row: string): string =>
  `NOT EXISTS (SELECT 1 FROM turn_copies c WHERE c.session_id = ${row}.session_id AND c.turn_index = ${row}.turn_index)`;
const IN_TIME = "coalesce(s.updated_at, s.created_at), s.id";
/** As long as a label can be: its end is missing. */
const WHOLE_LABEL = 200;
/** Of a prompt: what a person states in it comes before what was pasted into it. */
const MOST_OF_PROMPT = 8000;

export function readBoardWork(db: Database, { repository, branch, since }: WorkScope): BoardWork {
  const scope = { repository, branch: branch ?? null, since };
  const iterate = function* <T>(statement: Statement, toMore: (row: Row) => T): Generator<WorkPlace & T> {
    for (const row of statement.iterate(scope)) yield { ...toPlace(row), ...toMore(row) };
  };
  return {
    prompts: () =>
      iterate(
        db.prepare(
          `SELECT ${PLACE}, t.turn_index, substr(t.user_message, 1, ${MOST_OF_PROMPT}) AS text
             FROM sessions s JOIN turns t ON t.session_id = s.id
            WHERE ${RECENT} AND t.user_message <> '' AND ${notInherited("t")} ORDER BY ${IN_TIME}, t.turn_index`,
        ),
        (row) => ({ text: String(row.text) }),
      ),
    checkpoints: () => [
      ...iterate(
        db.prepare(
          `SELECT ${PLACE}, k.title AS heading, concat_ws(char(10), k.overview, k.work_done, k.technical_details) AS text,
                  (SELECT max(t.turn_index) FROM turns t WHERE t.session_id = s.id AND t.timestamp <= k.created_at) AS turn_index
             FROM sessions s JOIN checkpoints k ON k.session_id = s.id
            WHERE ${RECENT} ORDER BY ${IN_TIME}, k.checkpoint_number`,
        ),
        (row) => ({ title: String(row.heading ?? ""), text: String(row.text) }),
      ),
    ],
    calls: () =>
      iterate(
        db.prepare(
          `SELECT ${PLACE}, k.turn_index, k.label FROM sessions s JOIN tool_calls k ON k.session_id = s.id
            WHERE ${RECENT} AND k.status = 'ok' AND length(k.label) < ${WHOLE_LABEL} AND ${notInherited("k")}
            ORDER BY ${IN_TIME}, k.id`,
        ),
        (row) => ({ label: String(row.label) }),
      ),
    files: () =>
      iterate(
        db.prepare(
          `SELECT ${PLACE}, s.cwd, f.turn_index, f.file_path FROM sessions s JOIN session_files f ON f.session_id = s.id
            WHERE ${RECENT} AND f.action IN ('created', 'edited', 'deleted') AND ${notInherited("f")}
            ORDER BY ${IN_TIME}, f.id`,
        ),
        (row) => ({ path: String(row.file_path), ...(row.cwd !== null && { workspace: String(row.cwd) }) }),
      ),
  };
}

/** The repositories that sessions since then are about, in the order of their names. */
export const recentRepositories = (db: Database, since: string): string[] =>
  db
    .prepare(
      `SELECT max(repository) AS repository FROM sessions
        WHERE repository IS NOT NULL AND vanished_at IS NULL AND coalesce(updated_at, created_at) >= ?
        GROUP BY lower(repository) ORDER BY 1`,
    )
    .all(since)
    .map((row) => String(row.repository));

type Row = Readonly<Record<string, unknown>>;

const toPlace = (row: Row): WorkPlace => ({
  session: { source: String(row.source), id: String(row.vendor_id), title: String(row.title ?? "") },
  ...(row.branch !== null && { branch: String(row.branch) }),
  ...(row.turn_index !== null && { turn: Number(row.turn_index) }),
});
