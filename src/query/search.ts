/** Where was that? Turns that hold the words, grouped by session, best first. */
import type { Hit, SearchAnswer } from "../store/search/search.ts";

export interface FoundSession {
  readonly session: Hit["session"];
  readonly hits: readonly Hit[];
}

export interface SearchReport extends SearchAnswer {
  readonly sessions: readonly FoundSession[];
}

/** A session stands where its best hit stands. */
export function groupHits(answer: SearchAnswer): SearchReport {
  const groups = Map.groupBy(answer.hits, (hit) => `${hit.session.source}:${hit.session.id}`);
  const sessions = [...groups.values()].flatMap((hits) =>
    hits[0] ? [{ session: hits[0].session, hits }] : [],
  );
  return { ...answer, sessions };
}
