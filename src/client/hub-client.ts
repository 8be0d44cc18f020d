/** The API of a hub as functions: what only a hub has, and whose sessions its answers are about. */
import type {
  HubAuditPage,
  HubBlame,
  HubBlameQuery,
  HubFiles,
  HubFilesQuery,
  HubHits,
  HubList,
  HubListQuery,
  HubMe,
  HubOutline,
  HubPeople,
  HubSearchQuery,
  HubShare,
  HubShareRequest,
  HubStandup,
  HubStandupQuery,
  HubStatsBy,
  HubStatsName,
  HubStatsQuery,
  HubStatus,
} from "./hub-types.ts";
import { type ClientOptions, createRequester, type Options } from "./request.ts";

export type RethreadHubClient = ReturnType<typeof createHubClient>;

export function createHubClient(options: ClientOptions = {}) {
  const { get, send } = createRequester(options);
  return {
    /** Gives a browser a cookie for the token, for some hours. */
    signIn: (token: string, o?: Options) =>
      send<Pick<HubMe, "user" | "scopes">>("POST", "/api/hub/sign-in", { token }, o),
    signOut: (o?: Options) => send<object>("POST", "/api/hub/sign-out", {}, o),
    me: (o?: Options) => get<HubMe>("/api/hub/me", {}, o),
    people: (o?: Options) => get<HubPeople>("/api/hub/people", {}, o),
    shares: (o?: Options) => get<{ readonly shares: readonly HubShare[] }>("/api/hub/shares", {}, o),
    share: (body: HubShareRequest, o?: Options) =>
      send<{ readonly share: HubShare; readonly changed: number }>("POST", "/api/hub/shares", body, o),
    /** The sessions are private again, unless something else shares them. */
    unshare: (share: string, o?: Options) =>
      send<{ readonly changed: number }>(
        "DELETE",
        `/api/hub/shares/${encodeURIComponent(share)}`,
        undefined,
        o,
      ),
    /** For admins, as are `status` and `reindex`. */
    audit: (query: { readonly cursor?: string } = {}, o?: Options) =>
      get<HubAuditPage>("/api/hub/audit", query, o),
    status: (o?: Options) => get<HubStatus>("/api/hub/status", {}, o),
    reindex: (o?: Options) => send<{ readonly queued: number }>("POST", "/api/hub/reindex", {}, o),
    sessions: (query: HubListQuery = {}, o?: Options) => get<HubList>("/api/sessions", query, o),
    session: (key: string, o?: Options) => get<HubOutline>(`/api/sessions/${encodeURIComponent(key)}`, {}, o),
    search: (query: HubSearchQuery, o?: Options) => get<HubHits>("/api/search", query, o),
    statsBy: (by: HubStatsName, query: HubStatsQuery = {}, o?: Options) =>
      get<HubStatsBy>(`/api/stats/${by}`, query, o),
    standup: (query: HubStandupQuery = {}, o?: Options) =>
      get<HubStandup>("/api/chronicle/standup", query, o),
    files: (query: HubFilesQuery = {}, o?: Options) => get<HubFiles>("/api/files", query, o),
    blame: (query: HubBlameQuery, o?: Options) => get<HubBlame>("/api/blame", query, o),
  };
}
