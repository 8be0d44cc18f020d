/** Finds the rows with all words of a query, or otherwise those with most of them. */
import type { Role } from "../../model/session/role.ts";
import type { SearchOrder } from "../../model/session/search-order.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { type Candidate, findCandidates, findIds, findNewest, toCandidates } from "./find.ts";
import {
  compileGroup,
  compileQuery,
  compileTyped,
  countWays,
  type SearchQuery,
  withoutInside,
  withoutShortBeginnings,
} from "./query.ts";
import { readTexts, TABLES, type Table } from "./rows.ts";
import { among, type Scope } from "./scope.ts";
import { findSome } from "./some.ts";
import { createTest } from "./text-match.ts";

interface Options {
  readonly role?: Role;
  readonly limit: number;
  readonly sort?: SearchOrder;
}

interface TypedOptions extends Options {
  /** The question with every word that was typed. */
  readonly typed: SearchQuery;
}

/** More than are shown: recency, place and closeness are weighed among these. */
export const reach = (limit: number): number => Math.max(100, limit * 3);

/** Where a role's words stand. Parts of identifiers are kept without telling whose they are. */
const COLUMNS: Readonly<Record<Role, string>> = {
  user: "content parts",
  assistant: "content more parts",
  tool: "more parts",
};

/** Rows with all of the words, in the wanted role. */
export function findAll(db: Database, query: SearchQuery, scope: Scope, options: TypedOptions): Candidate[] {
  const isShort = withoutShortBeginnings(query) !== query;
  if (options.role !== undefined || isShort) return findInTexts(db, query, scope, options);
  const limit = reach(options.limit);
  const isNewest = options.sort === "newest";
  const isNarrow = query.groups.length > 1 || query.groups.flat().every(({ tokens }) => tokens.length > 1);
  const find = (expression: string, words: number): Candidate[] =>
    expression === "" ? [] : findCandidates(db, { expression, words, scope, limit, isNewest, isNarrow });
  const outside = withoutInside(query);
  const found = find(compileQuery(outside), countWays(outside));
  // Among so many that have the words somewhere, those that say just what was typed must not be missed, however old.
  const isMore = found.length >= limit || options.typed.groups.length > query.groups.length;
  const said = found.length > 0 && isMore ? find(compileTyped(options.typed), 2) : [];
  const inside =
    outside === query || found.length >= limit ? [] : findInside(db, query, scope, { limit, found });
  return best([...said, ...found, ...inside]);
}

/** Rows that have a name only inside longer ones. Their parts are in the index, but not which of them belong together. */
function findInside(
  db: Database,
  query: SearchQuery,
  scope: Scope,
  { limit, found }: { readonly limit: number; readonly found: readonly Candidate[] },
): Candidate[] {
  const expression = compileQuery(query);
  const known = found.map(({ id }) => id);
  const kept = TABLES.flatMap((table) => {
    const others = without(findIds(db, expression, scope, table), known);
    return keepMatching(db, others, query, { need: "all", limit });
  });
  if (kept.length === 0) return [];
  return findCandidates(db, { expression, words: countWays(query), scope: among(kept), limit });
}

/** Each row once, as good as it is at best. */
function best(candidates: readonly Candidate[]): Candidate[] {
  const rows = new Map<number, Candidate>();
  for (const candidate of candidates) {
    const known = rows.get(candidate.id);
    if (!known || known.score < candidate.score) rows.set(candidate.id, candidate);
  }
  return [...rows.values()];
}

/** So many texts are looked through before the index is asked for all rows: mostly enough of them fit. */
const LOOKED_AT = 1000;

/** What the index cannot tell, or only slowly, the texts tell: newest first, until there are enough or no more. */
function findInTexts(
  db: Database,
  query: SearchQuery,
  scope: Scope,
  { role, limit }: TypedOptions,
): Candidate[] {
  const columns = role && COLUMNS[role];
  const keep = { role, need: "all", limit: reach(limit) } as const;
  const loose = withoutShortBeginnings(query);
  const tables = role === undefined ? TABLES : (["turns"] as const);
  const enough = loose === query ? keep.limit : limit;
  const kept = tables.flatMap((table) => {
    const all = (wanted: SearchQuery, most?: number): number[] =>
      findIds(db, compileQuery(wanted, columns), scope, table, most);
    const isOpen = loose.groups.length === 0;
    const ids = isOpen ? findNewest(db, scope, table, LOOKED_AT) : all(loose, LOOKED_AT);
    const unwanted = isOpen ? findUnwanted(db, query, scope, table) : [];
    const some = keepMatching(db, without(ids, unwanted), query, keep);
    // What is rare among the newest is rare everywhere, and then the index has it at once.
    return some.length >= enough || ids.length < LOOKED_AT ? some : keepMatching(db, all(query), query, keep);
  });
  if (kept.length === 0) return [];
  if (loose.groups.length === 0) return toCandidates(db, kept);
  const expression = compileQuery(loose, columns);
  return findCandidates(db, { expression, words: countWays(loose), scope: among(kept), limit: kept.length });
}

const findUnwanted = (db: Database, { not }: SearchQuery, scope: Scope, table: Table): number[] =>
  not.length === 0 ? [] : findIds(db, compileGroup(not), scope, table);

function without(ids: readonly number[], unwanted: readonly number[]): readonly number[] {
  const those = new Set(unwanted);
  return those.size === 0 ? ids : ids.filter((id) => !those.has(id));
}

/** Rows with most of the words. */
export function findMost(
  db: Database,
  query: SearchQuery,
  scope: Scope,
  { role, limit }: Options,
): Candidate[] {
  const columns = role && COLUMNS[role];
  const some = findSome(db, query, scope, { limit: reach(limit), columns });
  if (role === undefined) return some;
  const turns = some.filter(({ where }) => where === "turn");
  const kept = new Set(
    keepMatching(
      db,
      turns.map(({ id }) => id),
      query,
      { role, need: "any", limit: reach(limit) },
    ),
  );
  return turns.filter(({ id }) => kept.has(id));
}

/** Texts are read so many at a time, until enough fit: few first, since mostly they do. */
const AT_ONCE = { first: 50, later: 500 };

interface Keep {
  /** All roles, when none is named. */
  readonly role?: Role | undefined;
  /** All the words, or any of them. */
  readonly need: "all" | "any";
  readonly limit: number;
}

/** The first of these rows that fit, in their order. */
function keepMatching(
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
