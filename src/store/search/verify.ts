/** Keeps the rows whose text says what was asked, for what the index cannot tell: who said it, and very short beginnings. */
import type { Role } from "../../model/role.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import type { SearchQuery } from "./query.ts";
import { readTexts } from "./rows.ts";
import { createTest } from "./text-match.ts";

/** Texts are read so many at a time, until enough fit: few first, since mostly they do. */
const AT_ONCE = { first: 50, later: 500 };

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
  const fits = createTest(query.groups, need);
  const kept: number[] = [];
  let size = AT_ONCE.first;
  for (let at = 0; at < ids.length && kept.length < limit; at += size) {
    if (at > 0) size = AT_ONCE.later;
    const some = ids.slice(at, at + size);
    const texts = readTexts(db, some, role);
    for (const id of some) {
      const text = texts.get(id);
      if (text && fits([text.user, text.answer, text.more].join("\n"))) kept.push(id);
    }
  }
  return kept;
}
