/** What is asked about a hub as a whole, by its admins and by what watches it. */
import type { LoginRole } from "../../hub/database/roles.ts";
import { type Readiness, readinessOf } from "../../hub/operate/ready.ts";
import { askForReindex } from "../../hub/operate/reindex.ts";
import { type HubStatus, hubStatus, type QueueState, queueState } from "../../hub/operate/status.ts";
import type { Credentials, HubPlaces } from "./hub-app.ts";

export type { Readiness } from "../../hub/operate/ready.ts";
export type { HubStatus, QueueState } from "../../hub/operate/status.ts";

/** Connections of a role. */
export interface PoolUse {
  readonly role: LoginRole;
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for one. */
  readonly waiting: number;
}

export interface HubSystem {
  ready(): Promise<Readiness>;
  queue(): Promise<QueueState>;
  pools(): readonly PoolUse[];
  status(who: Credentials): Promise<HubStatus>;
  reindex(who: Credentials, user?: string): Promise<number>;
}

const ROLES: readonly LoginRole[] = ["app", "sql", "worker"];

export const createHubSystem = ({ db }: HubPlaces): HubSystem => ({
  ready: () => readinessOf(db),
  queue: () => queueState(db),
  pools: () =>
    ROLES.map((role) => {
      const { totalCount, idleCount, waitingCount } = db.pool(role);
      return { role, open: totalCount, idle: idleCount, waiting: waitingCount };
    }),
  status: (who) => hubStatus(db, who),
  reindex: (who, user) => askForReindex(db, who, user),
});
