/** What a hub takes and answers beside what a machine's own server does: whose each session is, who may see it, who read it. */
import type { Answer, Input, ListQuery, Page, SearchQuery, StandupQuery, StatsQuery } from "./types.ts";

/** What a hub knows of each session beside what its machine does. */
export interface HubFacts {
  /** The hub's own name of it: `source:id@machine`. */
  readonly hubSession: string;
  /** Whose it is. */
  readonly person: string;
  /** Where it was pushed from. */
  readonly machine: string | null;
  /** `private`, or the name of the team that sees it. */
  readonly sharing: string;
  /** Its content is encrypted with a key that the hub does not have. */
  readonly isSealed: boolean;
}

export interface HubTeamName {
  readonly name: string;
}

/** Who holds the token. */
export interface HubMe {
  readonly user: string;
  readonly scopes: readonly string[];
  readonly teams: readonly HubTeamName[];
  readonly machines: readonly { readonly id: string; readonly name: string }[];
}

/** A team that one is in, with those who are in it. */
export interface HubTeamMembers {
  readonly team: string;
  readonly members: readonly string[];
}

export interface HubPeople {
  readonly teams: readonly HubTeamMembers[];
  /** Everybody whose name one may see. */
  readonly people: readonly string[];
}

/** A repository or a session that one shares, and with whom. */
export interface HubShare {
  readonly id: string;
  readonly team: string;
  /** One of the two. */
  readonly repository: string | null;
  readonly session: string | null;
  /** How many sessions it is about. */
  readonly sessionCount: number;
  readonly sharedAt: string;
}

/** Exactly one of `repository` and `session`. */
export interface HubShareRequest {
  readonly team: string;
  readonly repository?: string;
  readonly session?: string;
}

export interface HubAuditEntry {
  readonly at: string;
  /** Who did it, and whose it was about; nobody for what was done on the hub's own machine. */
  readonly actor: string | null;
  readonly account: string | null;
  readonly action: string;
  readonly subject: string;
  /** Of the session that it is about, where one may see that. */
  readonly title: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface HubAuditPage {
  readonly entries: readonly HubAuditEntry[];
  readonly nextCursor: string | null;
}

/** Narrows by whose sessions they are, and by the team that they are shared with. */
export interface HubPlaces {
  readonly person?: string;
  readonly team?: string;
}
export type HubListQuery = ListQuery & HubPlaces;
export type HubSearchQuery = SearchQuery & HubPlaces;
export type HubStatsQuery = StatsQuery & HubPlaces;
export type HubStandupQuery = StandupQuery & HubPlaces;

export interface HubFilesQuery {
  readonly repo?: string;
  readonly q?: string;
}
export interface HubBlameQuery {
  readonly repo: string;
  readonly file: string;
}
export type HubStatsName = Input<"stats-by">["by"] | "person";

export type HubSession = Answer<"list">["sessions"][number] & HubFacts;
/** An answer that may lack something. */
export interface HubReached {
  /** People whose sessions are missing, because the server that has them does not answer. */
  readonly unreachable: readonly string[];
}
export type HubList = Omit<Page<"list">, "sessions"> &
  HubReached & { readonly sessions: readonly HubSession[] };
export type HubOutline = Omit<Answer<"outline">, "session"> & {
  readonly session: Answer<"outline">["session"] & HubFacts;
};

/** Whose a session is that an answer only names. */
export type HubNamed = Pick<HubFacts, "hubSession" | "person">;
export type HubHits = Omit<Page<"search">, "hits"> &
  HubReached & {
    readonly hits: readonly (Page<"search">["hits"][number] & HubNamed)[];
  };
/** Sessions in it are `HubNamed`. */
export type HubStandup = Answer<"chronicle-standup"> & {
  /** It tells of the latest sessions only. */
  readonly isCut: boolean;
};
export type HubStatsBy = Answer<"stats-by"> & HubReached;
export interface HubFiles {
  readonly files: readonly {
    readonly repository: string;
    readonly path: string;
    readonly sessionCount: number;
    /** Whose sessions. */
    readonly people: readonly string[];
    readonly lastAt: string | null;
  }[];
}
/** Sessions in it are `HubNamed`. */
export type HubBlame = Answer<"blame"> & {
  readonly repository: string;
  /** No change tells the whole file: the lines are the parts that changes tell. */
  readonly isPartial: boolean;
};

/** How a hub is, for those who run it. */
export interface HubStatus {
  readonly version: string;
  /** The migrations that the database has. */
  readonly schema: readonly string[];
  readonly postgres: string;
  readonly people: number;
  readonly revoked: number;
  readonly teams: number;
  readonly machines: number;
  readonly sessionCount: number;
  readonly sealed: number;
  readonly shared: number;
  readonly turns: number;
  readonly raw: {
    readonly files: number;
    readonly events: number;
    /** As people have them. */
    readonly bytes: number;
    /** As the database keeps them, with indexes. */
    readonly diskBytes: number;
  };
  readonly derived: { readonly diskBytes: number };
  readonly databaseBytes: number;
  readonly backfill: {
    readonly waiting: number;
    readonly active: number;
    readonly failed: number;
    readonly oldestSeconds: number;
    /** Sessions whose rows are older than what was pushed. */
    readonly behind: number;
    readonly failures: readonly { readonly reason: string; readonly count: number }[];
  };
}
