/** Tool calls of a range that some rule may care about, as rows. All are asked within `withRange`; `session` is the key of its rows. */
import type { Database, Statement } from "../../platform/sqlite/sqlite.ts";

export interface CallRow {
  /** Later calls of a session have higher ones. */
  readonly id: number;
  readonly session: string;
  readonly turn: number;
  readonly tool: string;
  readonly label: string;
  readonly status: string;
  /** Of its result, in characters. */
  readonly size: number;
}

const CALL =
  "k.id, k.session_id, k.turn_index, k.tool_name, coalesce(k.label, ''), k.status, coalesce(k.result_size, 0)";
const CALLS_IN_RANGE =
  "ranged r CROSS JOIN tool_calls k ON k.session_id = r.session AND k.turn_index BETWEEN r.first AND r.last";

/** Calls that failed, and those whose result has at least so many characters. */
export const notableCalls = (db: Database, size = Number.MAX_SAFE_INTEGER): CallRow[] =>
  toCalls(
    db.prepare(`SELECT ${CALL} FROM ${CALLS_IN_RANGE} WHERE k.status = 'failed' OR k.result_size >= ?`),
    size,
  );

/** What all calls of some sessions gave back, in characters. */
export const outputTotals = (db: Database, sessions: readonly string[]): Map<string, number> =>
  new Map(
    db
      .prepare(
        `SELECT r.session, sum(k.result_size) AS total FROM ${CALLS_IN_RANGE}
          WHERE r.session IN (SELECT value FROM json_each(?)) GROUP BY 1`,
      )
      .all(JSON.stringify(sessions))
      .map(({ session, total }) => [String(session), Number(total)]),
  );

/** All calls of some sessions, in the order in which they ended. */
export const callsOf = (db: Database, sessions: readonly string[]): CallRow[] =>
  toCalls(
    db.prepare(
      `SELECT ${CALL} FROM ${CALLS_IN_RANGE}
        WHERE r.session IN (SELECT value FROM json_each(?)) ORDER BY k.session_id, k.id`,
    ),
    JSON.stringify(sessions),
  );

/** The tools by which files were changed, at any time: one that changes files today did so before. */
export const changingTools = (db: Database): Set<string> =>
  new Set(
    db
      .prepare("SELECT DISTINCT tool_name AS tool FROM session_files WHERE action <> 'read'")
      .all()
      .map(({ tool }) => String(tool)),
  );

/** How often each of these tools was called. */
export const callCounts = (db: Database, tools: readonly string[]): Map<string, number> =>
  new Map(
    db
      .prepare(
        `SELECT k.tool_name AS tool, count(*) AS calls
           FROM ranged r CROSS JOIN tool_calls k ON k.session_id = r.session AND k.turn_index BETWEEN r.first AND r.last
          WHERE k.tool_name IN (SELECT value FROM json_each(?)) GROUP BY 1`,
      )
      .all(JSON.stringify(tools))
      .map(({ tool, calls }) => [String(tool), Number(calls)]),
  );

/** Calls by which something was changed in these turns. */
export const changesIn = (
  db: Database,
  turns: readonly { readonly session: string; readonly turn: number }[],
): CallRow[] =>
  toCalls(
    db.prepare(
      `SELECT ${CALL} FROM json_each(?) w CROSS JOIN tool_calls k
           ON k.session_id = w.value ->> 'session' AND k.turn_index = w.value ->> 'turn'
         JOIN session_files f ON f.session_id = k.session_id AND f.file_path = k.label AND f.action <> 'read'
        WHERE k.status = 'ok' AND k.tool_name IN
              (SELECT g.tool_name FROM session_files g WHERE g.session_id = k.session_id AND g.action <> 'read')`,
    ),
    JSON.stringify(turns),
  );

/** Commands that bring files back as git has them. */
export const restoringCommands = (db: Database): CallRow[] =>
  toCalls(
    db.prepare(
      `SELECT ${CALL} FROM ${CALLS_IN_RANGE}
        WHERE k.status = 'ok' AND (k.label GLOB '*git restore *' OR k.label GLOB '*git checkout *-- *')`,
    ),
  );

export interface RepeatedRead {
  readonly session: string;
  readonly path: string;
  readonly size: number;
  readonly times: number;
  /** The turn of the last of them. */
  readonly turn: number;
}

/**
 * Files that were read with the same result: ranges of a file, and what was changed between, have other sizes. Only files
 * that the session never changed: then every call with the path is one that reads.
 */
export const repeatedReads = (
  db: Database,
  { size, times }: { size: number; times: number },
): RepeatedRead[] =>
  db
    .prepare(
      `SELECT k.session_id AS session, k.label AS path, k.result_size AS size, count(*) AS times, max(k.turn_index) AS turn
         FROM ranged r CROSS JOIN tool_calls k ON k.session_id = r.session AND k.turn_index BETWEEN r.first AND r.last
        WHERE k.result_size >= ? AND k.status = 'ok' AND k.label IS NOT NULL
        GROUP BY 1, 2, 3 HAVING times >= ?
           AND EXISTS (SELECT 1 FROM session_files f
                        WHERE f.session_id = k.session_id AND f.file_path = k.label AND f.action = 'read')`,
    )
    .all(size, times) as unknown as RepeatedRead[];

type Cell = string | number | null;

/** Rows as lists: many of them are made twice as fast as with names. */
export function lists(statement: Statement, ...values: (string | number)[]): Cell[][] {
  statement.setReturnArrays(true);
  return statement.all(...values) as unknown as Cell[][];
}

const toCalls = (statement: Statement, ...values: (string | number)[]): CallRow[] =>
  lists(statement, ...values).map(([id, session, turn, tool, label, status, size]) => ({
    id: Number(id),
    session: String(session),
    turn: Number(turn),
    tool: String(tool),
    label: String(label),
    status: String(status),
    size: Number(size),
  }));
