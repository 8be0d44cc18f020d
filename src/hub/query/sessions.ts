/** Lists the sessions that somebody may see, in pages, and counts them by what they can be filtered by. */
import type { FacetValue, SessionFacets } from "../../model/session/facets.ts";
import { MOST_VALUES } from "../../model/session/facets.ts";
import {
  fromCursor,
  isAscending,
  placeOf,
  type SessionOrder,
  type SessionPlace,
  toCursor,
} from "../../model/session/session-order.ts";
import type { HubDatabase, Rows, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { requireScope } from "../ingest/access.ts";
import { ACTIVE, byBytes, compileHubFilter, type HubFilter, IS_COPY } from "./filter.ts";
import { askReachable, type Reached } from "./reachable.ts";
import { type Here, type HubSession, sessionColumns, toHubSession } from "./session-rows.ts";

export interface HubFacets extends SessionFacets {
  /** By whose they are, and by the team that sees them. */
  readonly people: readonly FacetValue[];
  readonly teams: readonly FacetValue[];
}

export interface HubList extends Reached {
  readonly sessions: readonly HubSession[];
  readonly total: number;
  readonly next?: string;
  readonly facets?: HubFacets;
}

export interface HubListPage {
  readonly limit?: number;
  readonly sort?: SessionOrder;
  readonly cursor?: string;
  readonly facets?: boolean;
}

const PAGE = 50;
const MOST = 500;

const ORDERED_BY: Readonly<Record<SessionOrder, string>> = {
  active: byBytes(`coalesce(${ACTIVE}, '')`),
  created: byBytes("coalesce(s.created_at, '')"),
  // Under this collation only ASCII has small letters, as in the local store.
  title: `lower(s.title COLLATE "C")`,
  turns: "s.turn_count",
  size: "s.bytes",
};

/** Behind the value: one session may have come from several machines, and to several people. */
const TIES = [`s.vendor_id COLLATE "C"`, `s.source COLLATE "C"`, `(s.id || ' ' || s.account_id) COLLATE "C"`];

export function listHubSessions(
  db: HubDatabase,
  who: Credentials,
  wished: HubFilter,
  { limit: wanted = PAGE, sort, cursor, facets }: HubListPage = {},
): Promise<HubList> {
  const limit = Math.min(wanted, MOST);
  const after = cursor === undefined ? undefined : fromCursor(cursor, sort);
  const order = after?.order ?? sort ?? "active";
  const list = async (tx: Transaction, filter: HubFilter): Promise<HubList> => {
    await requireScope(tx, "read");
    const { where, values } = await compileHubFilter(tx, filter);
    const [counted] = await tx.query(`SELECT count(*) AS n FROM hub.sessions s WHERE ${where}`, values);
    // The accounts are the first value.
    const here: Here = (row) => (filter.accounts ? `${row}.account_id = ANY ($1::uuid[])` : "true");
    const found = await findPage(tx, { where, values, here }, { order, after, limit: limit + 1 });
    const shown = found.slice(0, limit).map(toHubSession);
    const last = shown.at(-1);
    return {
      sessions: shown,
      total: Number(counted?.n),
      ...(last && found.length > limit && { next: toCursor(toPlace(order, last)) }),
      ...(facets && { facets: await countHubFacets(tx, filter) }),
    };
  };
  return askReachable(db, who, wished, (filter) => db.as(who, (tx) => list(tx, filter)));
}

const toPlace = (order: SessionOrder, session: HubSession): SessionPlace => ({
  ...placeOf(order, session),
  path: `${session.hubSession} ${session.account}`,
});

async function findPage(
  tx: Transaction,
  {
    where,
    values,
    here,
  }: { readonly where: string; readonly values: readonly unknown[]; readonly here: Here },
  {
    order,
    after,
    limit,
  }: { readonly order: SessionOrder; readonly after: SessionPlace | undefined; readonly limit: number },
): Promise<Rows> {
  const [key, isUp] = [ORDERED_BY[order], isAscending(order)];
  const n = values.length;
  const type = order === "turns" || order === "size" ? "bigint" : "text";
  const beyond = after
    ? `AND (${key} ${isUp ? ">" : "<"} $${n + 2}::${type} OR (${key} = $${n + 2}::${type}
        AND (${TIES.join(", ")}) > ($${n + 3}, $${n + 4}, $${n + 5})))`
    : "";
  const place = after ? [after.value, after.id, after.source, after.path] : [];
  return tx.query(
    `SELECT ${sessionColumns(here)} FROM hub.sessions s WHERE ${where} ${beyond}
      ORDER BY ${key} ${isUp ? "ASC" : "DESC"}, ${TIES.join(", ")} LIMIT $${n + 1}`,
    [...values, limit, ...place],
  );
}

type Counted = "source" | "repository" | "branch" | "workspace" | "model" | "people" | "teams";

const COUNTED: Readonly<
  Record<Counted, { readonly own: keyof HubFilter; readonly value: string; readonly from?: string }>
> = {
  source: { own: "sources", value: "s.source" },
  repository: { own: "repository", value: "s.repository" },
  branch: { own: "branch", value: "s.branch" },
  workspace: { own: "workspace", value: "s.cwd" },
  model: {
    own: "model",
    value: "m.name",
    from: "CROSS JOIN LATERAL jsonb_array_elements_text(s.models::jsonb) m(name)",
  },
  people: { own: "people", value: "a.name", from: "JOIN hub.accounts a ON a.account_id = s.account_id" },
  teams: { own: "team", value: "t.name", from: "JOIN hub.teams t ON t.team_id = s.team_id" },
};

/** Each is counted as if it were not filtered by itself. */
export async function countHubFacets(
  tx: Transaction,
  filter: HubFilter,
  /** What else sessions have to be like that fit a filter, such as to have hits. */
  narrowed: (filter: HubFilter) => Promise<HubFilter> = async (same) => same,
): Promise<HubFacets> {
  const without = async (own: keyof HubFilter): Promise<HubFilter> => {
    const { [own]: _, ...others } = filter;
    return narrowed(others);
  };
  const whole = await narrowed(filter);
  const count = async (facet: Counted): Promise<FacetValue[]> => {
    const { own, value, from = "" } = COUNTED[facet];
    const { where, values } = await compileHubFilter(
      tx,
      filter[own] === undefined ? whole : await without(own),
    );
    const rows = await tx.query(
      `SELECT ${value} AS value, count(*) AS n FROM hub.sessions s ${from} WHERE ${where} AND ${value} IS NOT NULL
        GROUP BY 1 ORDER BY 2 DESC, ${value} COLLATE "C" LIMIT ${MOST_VALUES}`,
      values,
    );
    return rows.map((row) => ({ value: String(row.value), count: Number(row.n) }));
  };
  const countWhere = async (own: "problems" | "copies", condition: string): Promise<number> => {
    const { where, values } = await compileHubFilter(
      tx,
      filter[own] === undefined ? whole : await without(own),
    );
    const [row] = await tx.query(
      `SELECT count(*) AS n FROM hub.sessions s WHERE ${where} AND ${condition}`,
      values,
    );
    return Number(row?.n);
  };
  return {
    source: await count("source"),
    repository: await count("repository"),
    branch: await count("branch"),
    model: await count("model"),
    workspace: await count("workspace"),
    tag: [],
    problems: await countWhere("problems", "s.problem_count > 0"),
    copies: await countWhere("copies", IS_COPY),
    people: await count("people"),
    teams: await count("teams"),
  };
}
