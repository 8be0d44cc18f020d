/** Keeps the rows whose text says what was asked, for what the index cannot tell: who said it, and very short beginnings. */
import type { Role } from "../model/role.ts";
import type { Database } from "../platform/sqlite.ts";
import type { SearchQuery } from "./search-query.ts";
import { readTexts } from "./search-rows.ts";
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

/** The first of these rows that fit, in their order. */
export function keepMatching(
  db: Database,
  ids: readonly number[],
  query: SearchQuery,
  { role, need, limit }: Keep,
): number[] {
  const match = createMatcher(query.groups);
  const kept: number[] = [];
  for (let at = 0; at < ids.length && kept.length < limit; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const texts = readTexts(db, some, role);
    for (const id of some) {
      const text = texts.get(id);
      if (!text) continue;
      const found = match([text.user, text.answer, text.more].join("\n"));
      const has = found.filter((spans) => spans.length > 0).length;
      if (has === found.length || (need === "any" && has > 0)) kept.push(id);
    }
  }
  return kept;
}
