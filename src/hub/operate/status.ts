/** How a hub is: who uses it, how much it keeps, how far its rows are. */
import type { HubDatabase, Rows, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";

export interface HubStatus {
  readonly people: number;
  /** Accounts that were revoked. */
  readonly revoked: number;
  readonly teams: number;
  readonly machines: number;
  readonly sessionCount: number;
  /** Those that the hub cannot read. */
  readonly sealed: number;
  readonly shared: number;
  readonly turns: number;
  /** What people pushed, before compression, and what that takes. */
  readonly raw: {
    readonly files: number;
    readonly events: number;
    readonly bytes: number;
    readonly diskBytes: number;
  };
  /** What was made of it. */
  readonly derived: { readonly diskBytes: number };
  readonly databaseBytes: number;
  readonly backfill: QueueState & {
    /** Sessions whose rows are older than what was pushed. */
    readonly behind: number;
    readonly failures: readonly { readonly reason: string; readonly count: number }[];
  };
  readonly schema: readonly string[];
  readonly postgres: string;
}

export interface QueueState {
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  /** Of what waits or runs. */
  readonly oldestSeconds: number;
}

/** For a token with the scope admin. */
export const hubStatus = (db: HubDatabase, who: Credentials): Promise<HubStatus> =>
  db.as(who, async (tx) => toStatus(await tx.query("SELECT hub.admin_state() AS state")));

/** For the owner of the tables. */
export const wholeStatus = async (tx: Transaction): Promise<HubStatus> =>
  toStatus(await tx.query("SELECT hub.whole_state() AS state"));

export const queueState = (db: HubDatabase): Promise<QueueState> =>
  db.open(async (tx) => {
    const [row] = await tx.query("SELECT hub.queue_state() AS state");
    return toQueueState(row?.state as unknown as QueueState);
  });

const toQueueState = ({ waiting, active, failed, oldestSeconds }: QueueState): QueueState => ({
  waiting,
  active,
  failed,
  oldestSeconds: Math.max(0, Math.round(oldestSeconds)),
});

/** As the function of the migration makes it. */
interface State extends Omit<HubStatus, "sessionCount" | "raw" | "derived" | "backfill"> {
  readonly sessions: number;
  readonly behind: number;
  readonly files: number;
  readonly events: number;
  readonly bytes: number;
  readonly rawDiskBytes: number;
  readonly derivedDiskBytes: number;
  readonly queue: QueueState;
  readonly reasons: HubStatus["backfill"]["failures"];
}

function toStatus(rows: Rows): HubStatus {
  const state = rows[0]?.state as unknown as State;
  const { people, revoked, teams, machines, sealed, shared, turns, databaseBytes, schema, postgres } = state;
  return {
    people,
    revoked,
    teams,
    machines,
    sessionCount: state.sessions,
    sealed,
    shared,
    turns,
    raw: {
      files: state.files,
      events: state.events,
      bytes: state.bytes,
      diskBytes: state.rawDiskBytes,
    },
    derived: { diskBytes: state.derivedDiskBytes },
    databaseBytes,
    backfill: { ...toQueueState(state.queue), behind: state.behind, failures: state.reasons },
    schema,
    postgres,
  };
}
