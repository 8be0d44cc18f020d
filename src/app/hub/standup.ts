/** The standup of a team: that of one's own work, made of what all its members share. */
import type { ReportedSession } from "../../chronicle/report.ts";
import {
  makeStandup,
  readStandup,
  type Standup,
  type StandupBranch,
} from "../../chronicle/standup/standup.ts";
import type { HubFilter } from "../../hub/query/filter.ts";
import { askReachable, type Reached } from "../../hub/query/reachable.ts";
import { readReportRows } from "../../hub/query/report-rows.ts";
import type { HubSession } from "../../hub/query/session-rows.ts";
import { createRedactor } from "../../model/redact/redact.ts";
import { rangeOf } from "../chronicle/range.ts";
import type { Credentials, HubDatabase } from "./hub-app.ts";

export interface TeamStandupOf extends HubFilter {
  readonly from?: Date;
  readonly to?: Date;
}

/** A session as the standup of a team names it. */
export interface TeamSession extends ReportedSession {
  readonly person: string;
  readonly hubSession: string;
}

export interface TeamStandup extends Standup, Reached {
  /** There were more sessions than a report takes; it tells of the latest. */
  readonly isCut: boolean;
}

const STANDUP_DAYS = 1;

/** Commits that only git knows are not in it: the hub has no repositories. */
export async function teamStandup(
  db: HubDatabase,
  who: Credentials,
  { from, to, ...filter }: TeamStandupOf,
  now: () => Date,
): Promise<TeamStandup> {
  const range = rangeOf({ ...(from && { since: from }), ...(to && { until: to }) }, STANDUP_DAYS, { now });
  const iso = { since: range.since.toISOString(), until: range.until.toISOString() };
  const read = await askReachable(db, who, filter, (reached) => readReportRows(db, who, reached, iso, now));
  try {
    const rows = readStandup(read.db, { filter: {}, ...iso });
    const standup = makeStandup(rows, {
      ...range,
      now: now(),
      redact: createRedactor().text,
      commits: new Map(),
    });
    return {
      ...withPeople(standup, read.sessions),
      isCut: read.isCut,
      ...(read.unreachable && { unreachable: read.unreachable }),
    };
  } finally {
    read.db.close();
  }
}

/** In the store sessions have ids of their own, by which they are told apart. */
function withPeople(standup: Standup, sessions: ReadonlyMap<string, HubSession>): Standup {
  const named = <T extends ReportedSession>(session: T): T & TeamSession => {
    const { id = session.id, person = "", hubSession = "" } = sessions.get(session.id) ?? {};
    return { ...session, id, person, hubSession };
  };
  const seen = <T extends { readonly session: ReportedSession }>(each: T): T => ({
    ...each,
    session: named(each.session),
  });
  const toBranch = (branch: StandupBranch): StandupBranch => ({
    ...branch,
    sessions: branch.sessions.map(named),
    files: branch.files.map(seen),
    commits: branch.commits.map((each) => (each.session ? { ...each, session: named(each.session) } : each)),
    pullRequests: branch.pullRequests.map(seen),
    issues: branch.issues.map(seen),
    openEnds: branch.openEnds.map(seen),
  });
  return {
    ...standup,
    repositories: standup.repositories.map((each) => ({ ...each, branches: each.branches.map(toBranch) })),
  };
}
