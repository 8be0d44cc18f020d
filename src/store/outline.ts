/** The turns of a session and what is wrong with it, as long as its log has not changed since it was indexed. */
import type { Problem } from "../model/problem.ts";
import { type Outline, PROMPT_HEAD, type TurnOutline, toPromptLine } from "../model/session/outline.ts";
import type { Artifact, Session } from "../model/session/session.ts";
import { toTokens } from "../model/session/turn-size.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { findProblems } from "./problem-rows.ts";
import { findCurrent } from "./turn-ranges.ts";

export interface StoredOutline extends Outline {
  readonly session: Session;
  /** Oddities included. */
  readonly problems: readonly Problem[];
}

/** Nothing for a session that the store does not know, or not as it is now; or of which it has no turns. */
export function findOutline(db: Database, artifact: Artifact, version: number): StoredOutline | undefined {
  const current = findCurrent(db, artifact, version);
  // What a session without turns has before its first prompt is not noted.
  if (!current || current.session.turns === 0) return undefined;
  // All of it stands in the index of migration 0020, as long as the prompt is cut there as here.
  const rows = db
    .prepare(
      `SELECT t.turn_index, substr(t.user_message, 1, ${PROMPT_HEAD}) AS prompt, t.timestamp, t.ended_at,
              t.byte_end - t.byte_start AS bytes, t.text_bytes, t.files_changed, t.compacted, t.preamble,
              coalesce(c.calls, 0) AS calls, coalesce(c.failed, 0) AS failed
         FROM turns t
         LEFT JOIN (SELECT turn_index, count(*) AS calls, sum(status = 'failed') AS failed
                      FROM call_rows WHERE session = (SELECT number FROM sessions WHERE id = ?1) GROUP BY turn_index) c USING (turn_index)
        WHERE t.session_id = ?1 ORDER BY t.turn_index`,
    )
    .all(current.id);
  return {
    session: current.session,
    problems: findProblems(db, current.id, artifact),
    hasPreamble: rows[0]?.preamble === 1,
    turns: rows.map(toTurnOutline),
  };
}

const toTurnOutline = (row: Record<string, unknown>): TurnOutline => ({
  index: Number(row.turn_index),
  prompt: toPromptLine(String(row.prompt ?? "")),
  estimatedTokens: toTokens(Number(row.text_bytes)),
  toolCalls: Number(row.calls),
  failedCalls: Number(row.failed),
  filesChanged: Number(row.files_changed),
  hasCheckpoint: row.compacted === 1,
  ...(row.timestamp !== null && { startedAt: String(row.timestamp) }),
  ...(row.ended_at !== null && { endedAt: String(row.ended_at) }),
  ...(row.bytes !== null && { bytes: Number(row.bytes) }),
});
