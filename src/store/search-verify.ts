/** Keeps the rows whose text says what was asked, for what the index cannot tell: who said it, and very short beginnings. */
import type { Role } from "../model/role.ts";
import type { Database } from "../platform/sqlite.ts";
import type { Candidate } from "./search-find.ts";
import type { SearchQuery } from "./search-query.ts";
import { readTexts, saidBy } from "./search-rows.ts";
import { createMatcher } from "./text-match.ts";

/** Texts are read so many at a time, until enough fit. */
const AT_ONCE = 50;

export interface Keep {
  /** Whoever said it, when none is named. */
  readonly role?: Role | undefined;
  /** All the words, or any of them. */
  readonly need: "all" | "any";
  readonly limit: number;
}

export function keepMatching(
  db: Database,
  candidates: readonly Candidate[],
  query: SearchQuery,
  { role, need, limit }: Keep,
): Candidate[] {
  const match = createMatcher(query.groups);
  const unwanted = createMatcher([query.not]);
  const kept: Candidate[] = [];
  for (let at = 0; at < candidates.length && kept.length < limit; at += AT_ONCE) {
    const some = candidates.slice(at, at + AT_ONCE);
    const texts = readTexts(
      db,
      some.map(({ id }) => id),
    );
    for (const candidate of some) {
      const text = texts.get(candidate.id);
      if (!text) continue;
      const { user, answer, more } = role ? saidBy(role, text) : text;
      const whole = [user, answer, more].join("\n");
      const found = match(whole);
      const has = found.filter((spans) => spans.length > 0).length;
      const fits = has === found.length || (need === "any" && has > 0);
      if (fits && unwanted(whole).flat().length === 0) kept.push(candidate);
    }
  }
  return kept;
}
