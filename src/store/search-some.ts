/** When no turn has all the words: which have most of them, alone or together with the rest of their session. */
import type { Database } from "../platform/sqlite.ts";
import { type Candidate, findIds } from "./search-find.ts";
import { compileGroup, type SearchQuery } from "./search-query.ts";
import { readFamilies } from "./search-rows.ts";
import type { Scope } from "./search-scope.ts";

/** Of a word with more rows than this only the newest count: it says so little that the others would not rise by it. */
const MOST_OF_A_WORD = 2000;
/** Sessions are looked at as a whole for the rows that weigh most. */
const LOOKED_AT = 150;
/** What a word elsewhere in the session is worth, against one in the same turn. */
const ELSEWHERE = 0.6;
/** Rows with less than this share of what the best one has are no answer to the question. */
const WORTH_SHOWING = 0.5;
/** Bits that a number has for groups. */
const MOST_GROUPS = 30;

export function findSome(db: Database, query: SearchQuery, scope: Scope, limit: number): Candidate[] {
  const groups = query.groups.slice(0, MOST_GROUPS);
  const lists = groups.map((group) => findIds(db, compileGroup(group), scope, MOST_OF_A_WORD));
  const weights = weigh(lists.map((list) => list.length));
  const masks = toMasks(lists);
  if (query.not.length > 0)
    for (const id of findIds(db, compileGroup(query.not), scope, MOST_OF_A_WORD)) masks.delete(id);

  const heaviest = [...masks].sort((a, b) => weights(b[1]) - weights(a[1])).slice(0, LOOKED_AT);
  const family = readFamilies(
    db,
    heaviest.map(([id]) => id),
  ).filter(({ id }) => masks.has(id));
  const together = new Map<string, number>();
  for (const { id, session } of family)
    together.set(session, (together.get(session) ?? 0) | (masks.get(id) ?? 0));

  const candidates = family.map((row) => {
    const here = weights(masks.get(row.id) ?? 0);
    return { ...row, score: here + ELSEWHERE * (weights(together.get(row.session) ?? 0) - here) };
  });
  const best = Math.max(...candidates.map(({ score }) => score));
  return candidates
    .filter(({ score }) => score >= best * WORTH_SHOWING)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

/** One bit for each group, by row. */
function toMasks(lists: readonly (readonly number[])[]): Map<number, number> {
  const masks = new Map<number, number>();
  for (const [group, list] of lists.entries())
    for (const id of list) masks.set(id, (masks.get(id) ?? 0) | (1 << group));
  return masks;
}

/** What having these groups is worth: the rarer a word, the more it tells. */
function weigh(rows: readonly number[]): (mask: number) => number {
  const most = Math.max(...rows, 1);
  const worth = rows.map((count) => (count === 0 ? 0 : 1 + Math.log(most / count)));
  const known = new Map<number, number>();
  return (mask) => {
    let sum = known.get(mask);
    if (sum === undefined) {
      sum = worth.reduce((total, each, group) => total + (mask & (1 << group) ? each : 0), 0);
      known.set(mask, sum);
    }
    return sum;
  };
}
