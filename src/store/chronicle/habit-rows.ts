/**
 * How one works with agents, as rows: prompts, outputs, failures, files and models of a range. Each query is one pass over
 * what lies in the range, and gives back only rows that some rule may care about. All are asked within `withRange`;
 * `session` is the key of its rows.
 */
import type { Database, Statement } from "../../platform/sqlite/sqlite.ts";
import { text } from "./range.ts";

export interface PromptRow {
  readonly session: string;
  readonly turn: number;
  /** Its beginning. */
  readonly text: string;
  readonly length: number;
  /** How many lines it has; counted only where it is long. */
  readonly lines: number;
  readonly isAnswered: boolean;
  /** Older turns were replaced by a summary in it. */
  readonly isCompacted: boolean;
  readonly at: string;
}

/** What is read of a prompt: rules are said briefly. */
const PROMPT_HEAD = 600;
/** Shorter prompts need no counting of lines. */
const LONG_PROMPT = 4000;
/** The latest ones; nobody has more in the time that a report is about. */
const MOST_PROMPTS = 200_000;

/** By session, in order. */
export function prompts(db: Database): PromptRow[] {
  const rows = lists(
    db.prepare(
      `SELECT t.session_id, t.turn_index, substr(t.user_message, 1, ${PROMPT_HEAD}), length(t.user_message),
              iif(length(t.user_message) > ${LONG_PROMPT}, 1 + length(t.user_message) - length(replace(t.user_message, char(10), '')), 1),
              t.assistant_response IS NOT NULL, coalesce(t.compacted, 0), coalesce(t.timestamp, '')
         FROM ranged r CROSS JOIN turns t ON t.session_id = r.session AND t.turn_index BETWEEN r.first AND r.last
        LIMIT ${MOST_PROMPTS}`,
    ),
  );
  return rows.map(([session, turn, prompt, length, lines, isAnswered, isCompacted, at]) => ({
    session: String(session),
    turn: Number(turn),
    text: String(prompt ?? ""),
    length: Number(length ?? 0),
    lines: Number(lines ?? 1),
    isAnswered: isAnswered === 1,
    isCompacted: isCompacted === 1,
    at: String(at),
  }));
}

export interface LargeOutput {
  readonly session: string;
  readonly turn: number;
  readonly tool: string;
  readonly label: string | undefined;
  readonly size: number;
  /** What all calls of its session gave back, in characters. */
  readonly total: number;
}

/** Results of at least so many characters. */
export const largeOutputs = (db: Database, least: number): LargeOutput[] =>
  db
    .prepare(
      `SELECT k.session_id AS session, k.turn_index AS turn, k.tool_name AS tool, k.label, k.result_size AS size,
              (SELECT sum(a.result_size) FROM tool_calls a
                WHERE a.session_id = r.session AND a.turn_index BETWEEN r.first AND r.last) AS total
         FROM ranged r CROSS JOIN tool_calls k ON k.session_id = r.session AND k.turn_index BETWEEN r.first AND r.last
        WHERE k.result_size >= ?`,
    )
    .all(least)
    .map((row) => ({ ...row, label: text(row.label) }) as unknown as LargeOutput);

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

export interface CallRow {
  /** Later calls of a session have higher ones. */
  readonly id: number;
  readonly session: string;
  readonly turn: number;
  readonly tool: string;
  readonly label: string;
  readonly status: string;
}

export const failedCalls = (db: Database): CallRow[] =>
  toCalls(
    db.prepare(
      `SELECT k.id, k.session_id, k.turn_index, k.tool_name, coalesce(k.label, ''), k.status
         FROM ranged r CROSS JOIN tool_calls k ON k.session_id = r.session AND k.turn_index BETWEEN r.first AND r.last
        WHERE k.status = 'failed'`,
    ),
  );

/** All calls of some sessions, in the order in which they ended. */
export const callsOf = (db: Database, sessions: readonly string[]): CallRow[] =>
  toCalls(
    db.prepare(
      `SELECT k.id, k.session_id, k.turn_index, k.tool_name, coalesce(k.label, ''), k.status
         FROM ranged r CROSS JOIN tool_calls k ON k.session_id = r.session AND k.turn_index BETWEEN r.first AND r.last
        WHERE r.session IN (SELECT value FROM json_each(?)) ORDER BY k.session_id, k.id`,
    ),
    JSON.stringify(sessions),
  );

/** The tools by which files were changed. */
export const changingTools = (db: Database): Set<string> =>
  new Set(
    db
      .prepare(
        `SELECT DISTINCT f.tool_name AS tool FROM ranged r CROSS JOIN session_files f ON f.session_id = r.session
          WHERE f.action <> 'read'`,
      )
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
      `SELECT k.id, k.session_id, k.turn_index, k.tool_name, k.label, k.status
         FROM json_each(?) w CROSS JOIN tool_calls k
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
      `SELECT k.id, k.session_id, k.turn_index, k.tool_name, k.label, k.status
         FROM ranged r CROSS JOIN tool_calls k ON k.session_id = r.session AND k.turn_index BETWEEN r.first AND r.last
        WHERE k.status = 'ok' AND (k.label GLOB '*git restore *' OR k.label GLOB '*git checkout *-- *')`,
    ),
  );

export interface CommonFile {
  readonly repository: string;
  readonly path: string;
  /** How many sessions touched it, and how many of them changed it. */
  readonly sessions: number;
  readonly changed: number;
  /** One of the sessions. */
  readonly session: string;
  readonly turn: number;
}

/** Files that at least so many sessions of a repository read or changed. */
export const commonFiles = (db: Database, sessions: number): CommonFile[] =>
  db
    .prepare(
      `SELECT s.repository, f.file_path AS path, count(*) AS sessions, sum(f.action <> 'read') AS changed,
              max(f.session_id) AS session, f.turn_index AS turn
         FROM ranged r CROSS JOIN sessions s ON s.id = r.session
         CROSS JOIN session_files f ON f.session_id = r.session AND f.turn_index BETWEEN r.first AND r.last
        WHERE s.repository IS NOT NULL GROUP BY 1, 2 HAVING count(*) >= ?`,
    )
    .all(sessions) as unknown as CommonFile[];

export interface ModelTurn {
  readonly session: string;
  readonly turn: number;
  readonly model: string;
  readonly output: number;
  readonly calls: number;
  readonly prompt: number;
}

export const usedModels = (db: Database): string[] =>
  db
    .prepare("SELECT DISTINCT model FROM assistant_usage_events")
    .all()
    .map(({ model }) => String(model));

/** Every turn that one of these models answered. */
export const modelTurns = (db: Database, models: readonly string[]): ModelTurn[] =>
  db
    .prepare(
      `SELECT u.session, u.turn, u.model, u.output, length(t.user_message) AS prompt,
              (SELECT count(*) FROM tool_calls k WHERE k.session_id = u.session AND k.turn_index = u.turn) AS calls
         FROM (SELECT e.session_id AS session, e.turn_index AS turn, min(e.model) AS model, sum(e.output_tokens) AS output
                 FROM assistant_usage_events e JOIN ranged r ON r.session = e.session_id
                WHERE e.model IN (SELECT value FROM json_each(?)) AND e.turn_index BETWEEN r.first AND r.last
                GROUP BY 1, 2) u
         JOIN turns t ON t.session_id = u.session AND t.turn_index = u.turn`,
    )
    .all(JSON.stringify(models)) as unknown as ModelTurn[];

/** How the first answer of sessions with so short a first prompt begins. */
export const shortOpenings = (
  db: Database,
  longest: number,
): { session: string; prompt: string; answer: string }[] =>
  db
    .prepare(
      `SELECT t.session_id AS session, t.user_message AS prompt, substr(t.assistant_response, 1, 1200) AS answer
         FROM ranged r CROSS JOIN turns t ON t.session_id = r.session AND t.turn_index = 0
        WHERE r.first = 0 AND length(t.user_message) <= ? AND t.assistant_response IS NOT NULL`,
    )
    .all(longest) as unknown as { session: string; prompt: string; answer: string }[];

type Cell = string | number | null;

/** Rows as lists: many of them are made twice as fast as with names. */
function lists(statement: Statement, ...values: string[]): Cell[][] {
  statement.setReturnArrays(true);
  return statement.all(...values) as unknown as Cell[][];
}

const toCalls = (statement: Statement, ...values: string[]): CallRow[] =>
  lists(statement, ...values).map(([id, session, turn, tool, label, status]) => ({
    id: Number(id),
    session: String(session),
    turn: Number(turn),
    tool: String(tool),
    label: String(label),
    status: String(status),
  }));
