/** Orders what the full-text index found: by relevance, how recent it is, and where the words stand. */
import type { Database } from "../platform/sqlite.ts";
import type { SearchQuery } from "./search-query.ts";

export interface Candidate {
  readonly id: number;
  /** FTS5's bm25: more negative is better. */
  readonly score: number;
  readonly exact: boolean;
}

export interface Hit {
  readonly session: {
    readonly source: string;
    readonly id: string;
    readonly title: string;
    readonly workspace?: string;
    readonly updatedAt?: string;
    readonly resume?: string;
  };
  /** Missing when the words stand in the title, a path or a checkpoint. */
  readonly turn?: number;
  /** "turn", "session" (title, folder, files) or a section of a checkpoint. */
  readonly where: string;
  readonly snippet: string;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
}

interface RankOptions {
  readonly query: SearchQuery;
  readonly expression: string;
  readonly limit: number;
  readonly now: Date;
}

/** A match in the title says more than one in the text, a match in the question more than one in the answer. */
const BOOST = { session: 1.6, question: 1.25, checkpoint: 0.9, begins: 0.6 };
/** After this many days a session counts half as fresh. */
const HALF_LIFE_DAYS = 45;
const FRESHNESS_WEIGHT = 0.35;

export function rankHits(db: Database, candidates: readonly Candidate[], options: RankOptions): Hit[] {
  const row = db.prepare(
    `SELECT r.session_id, r.source_type, r.source_id, t.turn_index, t.user_message,
            s.source, s.vendor_id, s.title, s.cwd, s.updated_at, s.resume
       FROM search_rows r JOIN sessions s ON s.id = r.session_id LEFT JOIN turns t ON t.id = r.rowid
      WHERE r.rowid = ?`,
  );
  const words = options.query.groups
    .flat()
    .flatMap((term) => term.tokens.map((token) => token.toLowerCase()));
  const scored = candidates.flatMap((candidate) => {
    const found = row.get(candidate.id);
    if (!found) return [];
    const question = String(found.user_message ?? "").toLowerCase();
    let score = -candidate.score;
    if (!candidate.exact) score *= BOOST.begins;
    if (found.source_type === "session") score *= BOOST.session;
    else if (found.source_type !== "turn") score *= BOOST.checkpoint;
    else if (words.every((word) => question.includes(word))) score *= BOOST.question;
    score *= 1 + FRESHNESS_WEIGHT * freshness(found.updated_at, options.now);
    return [{ candidate, found, score }];
  });
  const best = scored.sort((a, b) => b.score - a.score).slice(0, options.limit);
  const snippet = db.prepare(
    `SELECT snippet(search_index, -1, char(1), char(2), '…', 24) AS text FROM search_index WHERE search_index MATCH ? AND rowid = ?`,
  );
  return best.map(({ candidate, found, score }) => ({
    session: {
      source: String(found.source),
      id: String(found.vendor_id),
      title: String(found.title),
      ...(found.cwd !== null && { workspace: String(found.cwd) }),
      ...(found.updated_at !== null && { updatedAt: String(found.updated_at) }),
      ...(found.resume !== null && { resume: String(found.resume) }),
    },
    ...(found.turn_index !== null && { turn: Number(found.turn_index) }),
    where: String(found.source_type),
    snippet: String(snippet.get(options.expression, candidate.id)?.text ?? ""),
    score,
  }));
}

function freshness(updatedAt: unknown, now: Date): number {
  if (typeof updatedAt !== "string") return 0;
  const days = (now.getTime() - Date.parse(updatedAt)) / 86_400_000;
  return 0.5 ** (Math.max(0, days) / HALF_LIFE_DAYS);
}
