/** Finds the turns with most of the words when no turn has all of them. */
import { largest } from "../../model/values/lists.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { type Candidate, countTurns, findIds, findNewest } from "./find.ts";
import { FIRST_TEXT_ID } from "./index.ts";
import { compileQuery, type SearchQuery } from "./query.ts";
import { type FoundRow, readFamilies, TABLES } from "./rows.ts";
import { EVERYTHING, type Scope } from "./scope.ts";

/** Sessions are looked at as a whole for the rows that weigh most. */
const LOOKED_AT = 150;
/** What a word elsewhere in the session is worth, against one in the same turn. */
const ELSEWHERE = 0.6;
/** Rows with less than this share of what the best one has are no answer to the question. */
const WORTH_SHOWING = 0.5;
/** Of more words than this the rarest count: a pasted page has hundreds, and most of them tell nothing. */
export const MOST_GROUPS = 8;
/** A word in so many turns is common, whatever the others are. */
export const COMMON = 1000;

/** In `columns` only, if any are named. */
export function findSome(
  db: Database,
  query: SearchQuery,
  scope: Scope,
  { limit, columns }: { readonly limit: number; readonly columns?: string | undefined },
): Candidate[] {
  const lists = listRarest(db, query, scope, columns);
  const worth = weigh(lists.map((list) => list.length));
  const masks = createMasks(lists);
  const family = readFamilies(db, masks.heaviest(worth, LOOKED_AT)).filter(({ id }) => masks.of(id) !== 0);
  return weighMost(family, ({ id }) => masks.of(id), worth).slice(0, limit);
}

/** Best first: what a row has of the words, and what the rest of its session has. Those with too few of them are left out. */
export function weighMost<T extends FoundRow>(
  rows: readonly T[],
  maskOf: (row: T) => number,
  worth: (mask: number) => number,
): (T & { readonly score: number })[] {
  const together = new Map<string, number>();
  for (const row of rows) together.set(row.session, (together.get(row.session) ?? 0) | maskOf(row));
  const candidates = rows.map((row) => {
    const here = worth(maskOf(row));
    return { ...row, score: here + ELSEWHERE * (worth(together.get(row.session) ?? 0) - here) };
  });
  const best = largest(
    candidates.map(({ score }) => score),
    Number.NEGATIVE_INFINITY,
  );
  return candidates.filter(({ score }) => score >= best * WORTH_SHOWING).sort((a, b) => b.score - a.score);
}

/** For each word all the rows that have it, of the rarest words. */
function listRarest(db: Database, query: SearchQuery, scope: Scope, columns: string | undefined): number[][] {
  const expressions = query.groups.map((group) => compileQuery({ groups: [group], not: query.not }, columns));
  const rarest =
    expressions.length <= MOST_GROUPS
      ? expressions
      : expressions
          .map((expression) => ({ expression, turns: countTurns(db, expression, COMMON) }))
          .sort((a, b) => a.turns - b.turns)
          .slice(0, MOST_GROUPS)
          .map(({ expression }) => expression);
  // Asked of each word, a filter would take longer than all the words; so its rows are listed once.
  const within = scope.isAll ? undefined : new Set(TABLES.flatMap((table) => findNewest(db, scope, table)));
  return rarest
    .map((expression) => TABLES.flatMap((table) => findIds(db, expression, EVERYTHING, table)))
    .map((list) => (within ? list.filter((id) => within.has(id)) : list));
}

/** What having these groups is worth: the rarer a word, the more it tells. */
export function weigh(rows: readonly number[]): (mask: number) => number {
  const most = largest(rows, 1);
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

interface Masks {
  /** One bit for each list that has the row. */
  of(id: number): number;
  /** The rows that are worth most, the newest of equals. */
  heaviest(worth: (mask: number) => number, most: number): number[];
}

/** Of at most 16 lists. */
export function createMasks(lists: readonly (readonly number[])[]): Masks {
  const { ids, masks } = merge(lists.map(descending));
  return {
    of(id) {
      const at = placeOf(ids, id);
      return ids[at] === id ? (masks[at] ?? 0) : 0;
    },
    heaviest(worth, most) {
      const taken: number[] = [];
      for (const kind of [...new Set(masks)].sort((a, b) => worth(b) - worth(a)))
        for (let at = masks.indexOf(kind); at >= 0 && taken.length < most; at = masks.indexOf(kind, at + 1))
          taken.push(ids[at] as number);
      return taken;
    },
  };
}

/** The index gives the rows of each table in that order; texts have larger ids than turns. */
function descending(list: readonly number[]): readonly number[] {
  const texts = list.findIndex((id) => id >= FIRST_TEXT_ID);
  return texts <= 0 ? list : [...list.slice(texts), ...list.slice(0, texts)];
}

/** Every id once, the largest first, with one bit for each list that has it: what a map would take ten times as long for. */
function merge(lists: readonly (readonly number[])[]): { ids: Float64Array; masks: Uint16Array } {
  const most = lists.reduce((sum, list) => sum + list.length, 0);
  const [ids, masks] = [new Float64Array(most), new Uint16Array(most)];
  const at = lists.map(() => 0);
  let count = 0;
  for (;;) {
    let next = -1;
    for (let bit = 0; bit < lists.length; bit++) {
      const id = lists[bit]?.[at[bit] as number];
      if (id !== undefined && id > next) next = id;
    }
    if (next < 0) return { ids: ids.subarray(0, count), masks: masks.subarray(0, count) };
    let mask = 0;
    for (let bit = 0; bit < lists.length; bit++)
      if (lists[bit]?.[at[bit] as number] === next) {
        mask |= 1 << bit;
        at[bit] = (at[bit] as number) + 1;
      }
    ids[count] = next;
    masks[count++] = mask;
  }
}

/** Of numbers that descend, the first that is no larger. */
function placeOf(ids: Float64Array, id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as number) > id) low = middle + 1;
    else high = middle;
  }
  return low;
}
