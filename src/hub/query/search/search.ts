/** Searches what somebody may see, by the steps of the local search: the words, their forms, other spellings, most of them. */
import type { Role } from "../../../model/session/role.ts";
import type { SearchOrder } from "../../../model/session/search-order.ts";
import { beginPage, keyOf } from "../../../query/search.ts";
import { reach } from "../../../store/search/all.ts";
import { chooseHits, type Hit, promisingOf, toHit } from "../../../store/search/hits.ts";
import { type SearchQuery, withoutInside } from "../../../store/search/query.ts";
import {
  COUNTED,
  ENOUGH,
  isHopeless,
  isRespelt,
  merge,
  readQuestion,
  type SearchAnswer,
} from "../../../store/search/search.ts";
import { MOST_GROUPS, weigh, weighMost } from "../../../store/search/some.ts";
import { createMatcher, createTest } from "../../../store/search/text-match.ts";
import { takeApart } from "../../../store/search/widen.ts";
import type { HubDatabase, Transaction } from "../../database/connect.ts";
import type { Credentials } from "../../database/credentials.ts";
import { ASKED_ACCOUNTS } from "../../database/migrations/0011-reachable-search.ts";
import { requireScope } from "../../ingest/access.ts";
import { compileHubFilter, type HubFilter, type SessionRef } from "../filter.ts";
import { askReachable, type Reached } from "../reachable.ts";
import { countHubFacets, type HubFacets } from "../sessions.ts";
import { type HubRow, openIndex, type SearchIndex } from "./index.ts";
import { type HubHitSession, readAlsoIn, readSessions, readTexts, refsOf, withoutInherited } from "./rows.ts";
import { toAnyGroup, toTsquery, toTyped, toWays } from "./tsquery.ts";
import { respell, widen } from "./widen.ts";

export interface HubHit extends Hit {
  readonly session: HubHitSession;
}

export interface HubSearchReport extends Omit<SearchAnswer, "hits" | "isMore">, Reached {
  readonly hits: readonly HubHit[];
  readonly next?: string;
  readonly facets?: HubFacets;
}

export interface HubSearchRequest {
  readonly text: string;
  readonly filter: HubFilter;
  readonly role?: Role;
  readonly limit: number;
  readonly sort?: SearchOrder;
  readonly cursor?: string;
  readonly facets?: boolean;
  readonly now: Date;
}

const MOST_HITS = 100;

export async function searchHub(
  db: HubDatabase,
  who: Credentials,
  { cursor, facets, ...request }: HubSearchRequest,
): Promise<HubSearchReport> {
  const search = async (tx: Transaction, filter: HubFilter): Promise<HubSearchReport> => {
    const me = await requireScope(tx, "read");
    if (filter.accounts) await tx.query(NAME_ACCOUNTS, [`{${filter.accounts.join()}}`]);
    const asked = { ...request, filter, limit: Math.min(request.limit, MOST_HITS) };
    const page = beginPage(asked, cursor);
    const options = { ...asked, ...page.widened };
    const { query, found, ...answer } = await findRows(tx, options);
    const isMore = found.length > options.limit;
    const { hits, next } = page.end({ hits: await toHits(tx, query, found, options), isMore }, hubKeyOf);
    if (found.slice(0, options.limit).some(({ account }) => account !== me))
      await tx.query("SELECT hub.note_search()");
    return {
      ...answer,
      hits,
      ...(next !== undefined && { next }),
      ...(facets && { facets: await facetsOf(tx, asked) }),
    };
  };
  return askReachable(db, who, request.filter, (filter) => db.as(who, (tx) => search(tx, filter)));
}

const NAME_ACCOUNTS = `SELECT set_config('${ASKED_ACCOUNTS}', $1, true)`;

/** Two people may have the same session. */
const hubKeyOf = (hit: HubHit): number =>
  keyOf({ ...hit, session: { ...hit.session, id: `${hit.session.hubSession} ${hit.session.person}` } });

const facetsOf = (tx: Transaction, options: Options): Promise<HubFacets> =>
  countHubFacets(tx, options.filter, async (filter) => {
    const { found } = await findRows(tx, { ...options, filter, limit: COUNTED });
    return { sessions: [...refsOf(found)] };
  });

type Options = Omit<HubSearchRequest, "cursor" | "facets">;

interface FoundRows extends Omit<SearchAnswer, "hits" | "isMore"> {
  readonly query: SearchQuery;
  readonly found: readonly HubRow[];
}

async function findRows(tx: Transaction, options: Options): Promise<FoundRows> {
  const { typed, query, nothing } = readQuestion(options.text);
  if (query.groups.length === 0) return nothing;
  const scope = await scopeOf(tx, options.filter);
  if (scope?.length === 0) return nothing;
  const index = openIndex(tx, scope);
  const find = async (wanted: SearchQuery): Promise<readonly HubRow[]> =>
    withoutInherited(tx, await findAll(tx, index, wanted, { ...options, typed }));

  const outside = withoutInside(query);
  const exact = await find(outside);
  if (exact.length >= Math.min(ENOUGH, options.limit))
    return { ...nothing, found: await withTimes(tx, exact) };
  const { wide, unknown } = await widen(index, query);
  const more = isHopeless(wide, unknown) ? [] : await find(wide);
  const found = mergeRows(exact, more);
  if (found.length > 0) return { ...nothing, query: wide, found: await withTimes(tx, found) };

  const { corrected, respelt } = await respell(index, wide, unknown);
  const again = respelt.length > 0 ? await find(corrected) : [];
  if (again.length > 0) return { ...nothing, query: corrected, found: await withTimes(tx, again), respelt };
  const apart = takeApart(corrected, unknown);
  const some =
    apart.groups.length > 1 ? await withoutInherited(tx, await findMost(tx, index, apart, options)) : [];
  const missing = [...unknown].map(({ typed: word }) => word).filter((word) => !isRespelt(word, respelt));
  return some.length > 0
    ? { ...nothing, query: apart, found: await withTimes(tx, some), partial: true, respelt, missing }
    : nothing;
}

/** A row that is found twice has a number for each time. */
const rowKey = ({ session, where, turnIndex, textId }: HubRow): string =>
  `${where} ${turnIndex ?? textId} ${session}`;

function mergeRows(exact: readonly HubRow[], wide: readonly HubRow[]): HubRow[] {
  const known = new Map(exact.map((row) => [rowKey(row), row.id]));
  return merge(
    exact,
    wide.map((row) => ({ ...row, id: known.get(rowKey(row)) ?? row.id })),
  ) as HubRow[];
}

/** Nothing where all that one may see is meant. */
async function scopeOf(tx: Transaction, filter: HubFilter): Promise<SessionRef[] | undefined> {
  const { accounts: _, ...others } = filter;
  if (Object.keys(others).length === 0) return undefined;
  const { where, values } = await compileHubFilter(tx, filter);
  if (where === "true") return undefined;
  const rows = await tx.query(`SELECT s.account_id, s.id FROM hub.sessions s WHERE ${where}`, values);
  return rows.map((row) => ({ account: String(row.account_id), id: String(row.id) }));
}

interface FindAll extends Options {
  readonly typed: SearchQuery;
}

/** Rows with all of the words, in the wanted role. */
async function findAll(
  tx: Transaction,
  index: SearchIndex,
  query: SearchQuery,
  { role, limit, sort, typed }: FindAll,
): Promise<HubRow[]> {
  const how = { limit: reach(limit), sort };
  const outside = withoutInside(query);
  const found = await index.find(toTsquery(outside, "adjacent", role), outside, how);
  if (role !== undefined) return keepMatching(tx, found, query, "all", role);
  const isMore = found.length >= how.limit || typed.groups.length > query.groups.length;
  const said = found.length > 0 && isMore ? await index.find(toTyped(typed), typed, how) : [];
  const all = best([...said, ...found]);
  if (all.length >= how.limit) return all;
  // What the index cannot tell the texts tell: names inside of others, and phrases far down a long text.
  const loose = toTsquery(query, "anywhere");
  if (loose === toTsquery(outside, "adjacent")) return all;
  const known = new Set(all.map(rowKey));
  const others = (await index.find(loose, query, how)).filter((row) => !known.has(rowKey(row)));
  return [...all, ...(await keepMatching(tx, others, query, "all"))];
}

/** Each row once, as good as it is at best. */
function best(rows: readonly HubRow[]): HubRow[] {
  const found = new Map<string, HubRow>();
  for (const row of rows) {
    const known = found.get(rowKey(row));
    if (!known || known.score < row.score) found.set(rowKey(row), row);
  }
  return [...found.values()];
}

async function keepMatching(
  tx: Transaction,
  rows: readonly HubRow[],
  query: SearchQuery,
  need: "all" | "any",
  role?: Role,
): Promise<HubRow[]> {
  if (rows.length === 0) return [];
  const fits = createTest(query.groups, need);
  const texts = await readTexts(tx, rows, role);
  return rows.filter(({ id }) => {
    const text = texts.get(id);
    return text !== undefined && fits([text.user, text.answer, text.more].join("\n"));
  });
}

/** Rows with most of the words. */
async function findMost(
  tx: Transaction,
  index: SearchIndex,
  query: SearchQuery,
  { role, limit }: Options,
): Promise<readonly HubRow[]> {
  const counts = await index.count(
    query.groups.map((group) => toTsquery({ groups: [group], not: [] }, "anywhere") || "''"),
    MOST_COUNTED,
  );
  const rarest = query.groups
    .map((group, at) => ({ group, rows: counts[at] ?? 0 }))
    .sort((a, b) => a.rows - b.rows)
    .slice(0, MOST_GROUPS);
  const asked = { groups: rarest.map(({ group }) => group), not: query.not };
  const rows = await index.find(toAnyGroup(asked), asked, { limit: MOST_LOOKED_AT });
  const { ways } = toWays(asked);
  const maskOf = ({ hits }: HubRow): number =>
    ways.reduce((mask, { group, count }) => (count(hits) > 0 ? mask | (1 << group) : mask), 0);
  const some = weighMost(rows, maskOf, weigh(rarest.map((each) => each.rows))).slice(0, reach(limit));
  if (role === undefined) return some;
  return keepMatching(
    tx,
    some.filter(({ where }) => where === "turn"),
    query,
    "any",
    role,
  );
}

const MOST_COUNTED = 1000;
const MOST_LOOKED_AT = 500;

/** When their sessions were last active, by which the fresh come first. */
async function withTimes(tx: Transaction, rows: readonly HubRow[]): Promise<HubRow[]> {
  const sessions = await readSessions(tx, rows);
  return rows.map((row) => {
    const updatedAt = sessions.get(row.session)?.updatedAt;
    return updatedAt === undefined ? row : { ...row, updatedAt };
  });
}

async function toHits(
  tx: Transaction,
  query: SearchQuery,
  found: readonly HubRow[],
  options: Options,
): Promise<HubHit[]> {
  const rows = new Map(found.map((row) => [row.id, row]));
  const rowsOf = (some: readonly { readonly id: number }[]): HubRow[] =>
    some.flatMap(({ id }) => rows.get(id) ?? []);
  const promising = promisingOf(found, options);
  const match = createMatcher(query.groups);
  const shown = chooseHits(promising, await readTexts(tx, rowsOf(promising), options.role), match, options);
  const sessions = await readSessions(tx, rowsOf(shown));
  const alsoIn = await readAlsoIn(
    tx,
    rowsOf(shown).filter(({ turnIndex }) => turnIndex !== undefined),
  );
  return shown.flatMap((read): HubHit[] => {
    const session = sessions.get(read.session);
    return session ? [toHit(read, session, match, alsoIn.get(read.id) ?? [])] : [];
  });
}
