/** What the server of a hub may ask: each question in the name of a caller, answered of what the caller may see. */

import { HUB_SOURCES } from "../../hub/derive/raw-home.ts";
import { type HubBlame, type HubFile, hubBlame, hubFiles } from "../../hub/query/blame.ts";
import type { HubFilter } from "../../hub/query/filter.ts";
import { createHomeCache } from "../../hub/query/open-session.ts";
import { createSessionReader, type SessionReader } from "../../hub/query/read-session.ts";
import { readHubSchema } from "../../hub/query/schema.ts";
import { type HubSearchReport, type HubSearchRequest, searchHub } from "../../hub/query/search/search.ts";
import { type HubList, type HubListPage, listHubSessions } from "../../hub/query/sessions.ts";
import { createSqlRunner, type HubQuery } from "../../hub/query/sql.ts";
import {
  type HubDividedStats,
  type HubStats,
  type HubStatsBy,
  hubStats,
  hubStatsBy,
} from "../../hub/query/stats/stats.ts";
import { type AuditPage, readAudit } from "../../hub/sharing/audit-log.ts";
import { type Directory, readDirectory } from "../../hub/sharing/directory.ts";
import {
  listShares,
  type Share,
  type Shared,
  type ShareWish,
  share,
  unshare,
} from "../../hub/sharing/shares.ts";
import { knownSources } from "../../query/list.ts";
import type { StoreSchema } from "../../store/schema.ts";
import type { QueryResult } from "../../store/sql/run.ts";
import type { SearchPlace } from "../filters.ts";
import type { Credentials, HubDatabase } from "./hub-app.ts";
import { type TeamStandup, type TeamStandupOf, teamStandup } from "./standup.ts";

export type { HubBlame, HubFile } from "../../hub/query/blame.ts";
export type { HubSearchReport } from "../../hub/query/search/search.ts";
export type { HubSession } from "../../hub/query/session-rows.ts";
export type { HubList } from "../../hub/query/sessions.ts";
export type { HubDividedStats, HubStats, HubStatsBy } from "../../hub/query/stats/stats.ts";
export type { AuditPage } from "../../hub/sharing/audit-log.ts";
export type { Share, Shared } from "../../hub/sharing/shares.ts";
export type { TeamStandup } from "./standup.ts";

/** Which sessions, as surfaces name them. */
export interface HubPlace extends Omit<SearchPlace, "tags" | "session"> {
  readonly text?: string;
  readonly problems?: boolean;
  readonly copies?: boolean;
  readonly people?: readonly string[];
  readonly team?: string;
}

export interface HubQuestions extends SessionReader {
  list(place: HubPlace, page: HubListPage): Promise<HubList>;
  search(
    request: Omit<HubSearchRequest, "filter" | "now"> & { readonly place: HubPlace },
  ): Promise<HubSearchReport>;
  sql(query: HubQuery): Promise<QueryResult>;
  schema(): Promise<StoreSchema>;
  stats(place: HubPlace): Promise<HubStats>;
  statsBy(place: HubPlace, by: HubStatsBy, limit?: number): Promise<HubDividedStats>;
  standup(place: HubPlace): Promise<TeamStandup>;
  files(request: {
    readonly repository?: string;
    readonly text?: string;
    readonly limit?: number;
  }): Promise<HubFile[]>;
  blame(request: { readonly repository: string; readonly file: string }): Promise<HubBlame>;
  shares(): Promise<readonly Share[]>;
  share(wish: ShareWish): Promise<Shared>;
  unshare(id: string): Promise<{ readonly changed: number }>;
  directory(): Promise<Directory>;
  audit(page: { readonly cursor?: string; readonly limit?: number }): Promise<AuditPage>;
}

/** One for each server: what was opened last stays open, and queries of one account wait for each other. */
export function createHubQuestions(db: HubDatabase, now: () => Date): (who: Credentials) => HubQuestions {
  const cache = createHomeCache();
  const sql = createSqlRunner(db);
  return (who) => ({
    ...createSessionReader(db, who, cache),
    list: async (place, page) => listHubSessions(db, who, toHubFilter(place), page),
    search: async ({ place, ...request }) =>
      searchHub(db, who, { ...request, filter: toHubFilter(place), now: now() }),
    sql: (query) => sql.run(who, query),
    schema: () => readHubSchema(db, who),
    stats: async (place) => hubStats(db, who, toHubFilter(place)),
    statsBy: async (place, by, limit) => hubStatsBy(db, who, toHubFilter(place), by, limit),
    async standup({ since, until, ...place }) {
      const range: TeamStandupOf = { ...(since && { from: since }), ...(until && { to: until }) };
      return teamStandup(db, who, { ...toHubFilter(place), ...range }, now);
    },
    files: (request) => hubFiles(db, who, request),
    blame: (request) => hubBlame(db, who, cache, request),
    shares: () => listShares(db, who),
    share: (wish) => share(db, who, wish),
    unshare: (id) => unshare(db, who, id),
    directory: () => readDirectory(db, who),
    audit: (page) => readAudit(db, who, page),
  });
}

function toHubFilter({
  sources,
  since,
  until,
  problems,
  copies,
  exact,
  people,
  ...place
}: HubPlace): HubFilter {
  return {
    ...place,
    ...(sources && sources.length > 0 && { sources: knownSources(HUB_SOURCES, sources) }),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
    ...(problems && { problems }),
    ...(copies && { copies }),
    ...(exact && { exact }),
    ...(people && people.length > 0 && { people }),
  };
}
