/** Marks the sessions that a report is about, with the turns of each that lie in its range, in a temporary table. */
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { addFilterFunctions, compileFilter, type SessionFilter } from "../filter.ts";

export interface ReportScope {
  readonly filter: Omit<SessionFilter, "since" | "until">;
  /** ISO times, both included: a turn counts by when it began. */
  readonly since: string;
  readonly until: string;
}

/**
 * `ranged`: a session, the first and the last of its turns in the range, and how many there are. Turns that a fork or
 * clone inherited belong to the session that they come from, so that no work is reported twice.
 */
export function withRange<T>(db: Database, { filter, since, until }: ReportScope, ask: () => T): T {
  addFilterFunctions(db);
  const { where, values } = compileFilter(filter);
  db.exec(`
    PRAGMA temp_store = MEMORY;
    CREATE TEMP TABLE ranged (session TEXT PRIMARY KEY, first INTEGER, last INTEGER, turns INTEGER) WITHOUT ROWID`);
  try {
    // The index by name: it has all that is asked here, while the table itself holds the text of the turns.
    db.prepare(
      `INSERT INTO ranged
         SELECT r.id, r.first, r.last, r.turns
           FROM (SELECT t.session_id AS id, min(t.turn_index) AS first, max(t.turn_index) AS last, count(*) AS turns
                   FROM turns t INDEXED BY idx_turns_time
                  WHERE (t.timestamp BETWEEN ? AND ? OR (t.timestamp IS NULL AND EXISTS (
                          SELECT 1 FROM sessions u
                           WHERE u.id = t.session_id AND coalesce(u.updated_at, u.created_at) BETWEEN ? AND ?)))
                    AND NOT EXISTS (SELECT 1 FROM turn_copies k
                                     WHERE k.session_id = t.session_id AND k.turn_index = t.turn_index)
                  GROUP BY t.session_id) r
           JOIN sessions s ON s.id = r.id ${where && `WHERE ${where}`}`,
    ).run(since, until, since, until, ...values);
    return ask();
  } finally {
    db.exec("DROP TABLE IF EXISTS temp.ranged");
  }
}

/** One of the sessions, with what of it lies in the range. */
export interface RangedSession {
  /** The key of its rows. */
  readonly key: string;
  readonly source: string;
  readonly id: string;
  readonly title: string;
  readonly repository: string | undefined;
  readonly workspace: string | undefined;
  readonly branch: string | undefined;
  readonly updatedAt: string | undefined;
  readonly first: number;
  readonly last: number;
  readonly turns: number;
  /** The last turn that it has at all. */
  readonly end: number;
}

/** Most recently active first. */
export function rangedSessions(db: Database): RangedSession[] {
  const rows = db
    .prepare(
      `SELECT s.id AS key, s.source, s.vendor_id AS id, s.title, s.repository, s.cwd AS workspace, s.branch,
              coalesce(s.updated_at, s.created_at) AS updatedAt, r.first, r.last, r.turns,
              (SELECT max(t.turn_index) FROM turns t WHERE t.session_id = s.id) AS end
         FROM ranged r JOIN sessions s ON s.id = r.session
        ORDER BY updatedAt DESC, s.id`,
    )
    .all();
  return rows.map((row) => ({
    key: String(row.key),
    source: String(row.source),
    id: String(row.id),
    title: String(row.title),
    repository: text(row.repository),
    workspace: text(row.workspace),
    branch: text(row.branch),
    updatedAt: text(row.updatedAt),
    first: Number(row.first),
    last: Number(row.last),
    turns: Number(row.turns),
    end: Number(row.end),
  }));
}

/** Empty names are no names. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
