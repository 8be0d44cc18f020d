/** A session that was handed over says where it came from; rows of an older version are made again by themselves. */
import { partitionName } from "../layout.ts";
import { type HubMigration, partitionsOn } from "../migration.ts";
import { roleName } from "../roles.ts";
import { addJobs, definer } from "./0002-core.ts";
import { view } from "./0004/views.ts";
import { SEEN_SESSIONS } from "./0010-origins.ts";

const COLUMNS = ["from_source", "from_id", "from_title"] as const;

const added = (table: string): string =>
  `ALTER TABLE hub.${table} ${COLUMNS.map((column) => `ADD COLUMN ${column} text`).join(", ")}`;

/** Behind the others, as a view can be replaced only by one that begins with the same columns. */
const withOrigin = (query: string): string => {
  const from = query.lastIndexOf("FROM hub.sessions s");
  return `${query.slice(0, from).trimEnd()}, ${COLUMNS.map((column) => `s.${column}`).join(", ")} ${query.slice(from)}`;
};

/** Those for which a job waits, runs or has failed for good are left to it. */
const SWEEP = `
  DECLARE n bigint;
  BEGIN
    ${addJobs(
      "hub.sessions s",
      `(s.raw_version > s.derived_version OR s.rows_version < current) AND NOT s.is_sealed AND NOT EXISTS (
        SELECT 1 FROM hub_queue.job j
         WHERE j.name = 'derive' AND j.singleton_key = s.account_id::text || ' ' || s.id
           AND j.state IN ('created', 'retry', 'active', 'failed'))`,
    )}
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
  END`;

export const handedFrom: HubMigration = {
  id: "0013-handed-from",
  why: "a session says on the hub, too, which one of another program it was handed over from",
  up: () => [
    added("sessions"),
    view("sessions", withOrigin(SEEN_SESSIONS), "CREATE OR REPLACE"),
    "DROP FUNCTION hub.sweep_rows()",
    ...definer({
      ...{ name: "sweep_rows", takes: "current integer", returns: "bigint", body: SWEEP },
      for: roleName("worker"),
    }),
  ],
  shard: (layout, server) =>
    partitionsOn(layout, server).map((at) => added(partitionName({ name: "sessions" }, at))),
};
