/** The rows that answer a question: those with all of its words, or else those with most of them. */
import type { Role } from "../model/role.ts";
import type { Database } from "../platform/sqlite.ts";
import { type Candidate, findCandidates, findIds, findNewest, toCandidates } from "./search-find.ts";
import {
  compileGroup,
  compileQuery,
  compileTyped,
  countWays,
  type SearchQuery,
  withoutShortBeginnings,
} from "./search-query.ts";
import { TABLES } from "./search-rows.ts";
import { among, type Scope } from "./search-scope.ts";
import { findSome } from "./search-some.ts";
import { keepMatching } from "./search-verify.ts";

interface Options {
  readonly role?: Role;
  readonly limit: number;
}

interface TypedOptions extends Options {
  /** The question with every word that was typed. */
  readonly typed: SearchQuery;
}

/** More than are shown: recency, place and closeness are weighed among these. */
const reach = (limit: number): number => Math.max(100, limit * 3);

/** Where a role's words stand. Parts of identifiers are kept without telling whose they are. */
const COLUMNS: Readonly<Record<Role, string>> = {
  user: "content parts",
  assistant: "content more parts",
  tool: "more parts",
};

/** Rows with all of the words, said by whoever was asked for. */
export function findAll(db: Database, query: SearchQuery, scope: Scope, options: TypedOptions): Candidate[] {
  const isShort = withoutShortBeginnings(query) !== query;
  if (options.role !== undefined || isShort) return findInTexts(db, query, scope, options);
  const limit = reach(options.limit);
  const find = (expression: string, words: number): Candidate[] =>
    expression === "" ? [] : findCandidates(db, { expression, words, scope, limit });
  const found = find(compileQuery(query), countWays(query));
  // Among so many that have the words somewhere, those that say just what was typed must not be missed, however old.
  const isMore = found.length >= limit || options.typed.groups.length > query.groups.length;
  const said = found.length > 0 && isMore ? find(compileTyped(options.typed), 2) : [];
  return said.length === 0 ? found : best([...said, ...found]);
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

/** So many texts are looked through for a very short beginning before the index is asked for all that begins so. */
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
  const kept = tables.flatMap((table) => {
    const all = (wanted: SearchQuery): number[] => findIds(db, compileQuery(wanted, columns), scope, table);
    if (loose === query) return keepMatching(db, all(query), query, keep);
    const ids = loose.groups.length > 0 ? all(loose) : newest(db, query, scope, table);
    const some = keepMatching(db, ids.slice(0, LOOKED_AT), query, keep);
    // What is rare among the newest is rare everywhere, and then the index has it at once.
    if (some.length >= keep.limit || ids.length < LOOKED_AT) return some;
    return keepMatching(db, all(query), query, keep);
  });
  if (kept.length === 0) return [];
  if (loose.groups.length === 0) return toCandidates(db, kept);
  const expression = compileQuery(loose, columns);
  return findCandidates(db, { expression, words: countWays(loose), scope: among(kept), limit: kept.length });
}

function newest(db: Database, { not }: SearchQuery, scope: Scope, table: (typeof TABLES)[number]): number[] {
  const ids = findNewest(db, scope, table, LOOKED_AT);
  if (not.length === 0) return ids;
  const unwanted = new Set(findIds(db, compileGroup(not), scope, table));
  return ids.filter((id) => !unwanted.has(id));
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
