/**
 * How one works with agents, as rows: prompts, files and models of a range; calls are in `call-rows.ts`. Each query is one pass over
 * what lies in the range, and gives back only rows that some rule may care about. All are asked within `withRange`;
 * `session` is the key of its rows.
 */
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { lists } from "./call-rows.ts";

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

/** As they were counted of each session, which is less to read than all calls. */
export const usedModels = (db: Database): string[] => [
  ...new Set(
    db
      .prepare("SELECT DISTINCT tally ->> '$[3]' AS models FROM session_tallies")
      .all()
      .flatMap(({ models }) => JSON.parse(String(models)) as string[]),
  ),
];

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
