/** Functions of the owner that pushes, deletions and the backfill need. */
import type { HubMigration } from "../migration.ts";
import { roleName } from "../roles.ts";
import { DERIVED_TABLES } from "./0001-hub.ts";

const [APP, WORKER] = [roleName("app"), roleName("worker")];

export interface DefinerFunction {
  readonly name: string;
  /** As SQL, with their names. */
  readonly takes: string;
  readonly returns: string;
  readonly body: string;
  readonly stable?: boolean;
  /** While it runs, as SQL. */
  readonly settings?: string;
  /** Who may call it. */
  readonly for: string;
}

/** A function that looks past row-level security, and so must check for itself. */
export const definer = ({
  name,
  takes,
  returns,
  body,
  stable = false,
  settings = "",
  for: role,
}: DefinerFunction): string[] => {
  const types = takes.replaceAll(/(^|, )\w+ /g, "$1");
  return [
    `CREATE FUNCTION hub.${name}(${takes}) RETURNS ${returns} LANGUAGE plpgsql ${stable ? "STABLE" : "VOLATILE"}
       SECURITY DEFINER SET search_path = pg_catalog, pg_temp ${settings} AS $body$${body}$body$`,
    `REVOKE ALL ON FUNCTION hub.${name}(${types}) FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION hub.${name}(${types}) TO ${role}`,
  ];
};

/**
 * With the columns that pg-boss's own insert fills from the queue. `from` gives `account_id` and `id` of sessions, as `s`,
 * and `where` says which of them are meant.
 */
export const addJobs = (from: string, where = "true", priority?: number): string => `
  INSERT INTO hub_queue.job (${priority === undefined ? "" : "priority, "}name, data, singleton_key, policy, retry_limit, retry_delay, retry_backoff,
      retry_delay_max, expire_seconds, deletion_seconds, keep_until, heartbeat_seconds)
    SELECT ${priority === undefined ? "" : `${priority}, `}q.name, jsonb_build_object('account', s.account_id, 'session', s.id), s.account_id::text || ' ' || s.id,
           q.policy, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.expire_seconds,
           q.deletion_seconds, now() + q.retention_seconds * interval '1 second', q.heartbeat_seconds
      FROM hub_queue.queue q, ${from}
     WHERE ${where} AND q.name = 'derive'
  ON CONFLICT DO NOTHING;`;

const ASK = `
  DECLARE mine uuid := hub.me();
  BEGIN
    IF mine IS NULL OR NOT EXISTS (SELECT 1 FROM hub.sessions s WHERE s.account_id = mine AND s.id = asked) THEN
      RAISE insufficient_privilege USING MESSAGE = 'no such session';
    END IF;
    ${addJobs("(SELECT mine AS account_id, asked AS id) s")}
  END`;

/** Those for which a job waits, runs or has failed for good are left to it. */
const SWEEP = `
  DECLARE n bigint;
  BEGIN
    ${addJobs(
      "hub.sessions s",
      `s.raw_version > s.derived_version AND NOT s.is_sealed AND NOT EXISTS (SELECT 1 FROM hub_queue.job j
        WHERE j.name = 'derive' AND j.singleton_key = s.account_id::text || ' ' || s.id
          AND j.state IN ('created', 'retry', 'active', 'failed'))`,
    )}
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
  END`;

const REINDEX = `
  DECLARE n bigint;
  BEGIN
    ${addJobs("hub.sessions s", "NOT s.is_sealed AND (whose IS NULL OR s.account_id = whose)")}
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
  END`;

/** The audit keeps who deleted how much and when, and no name of what it was. */
const DELETE = `
  DECLARE mine uuid := hub.me(); n bigint;
  BEGIN
    IF mine IS NULL OR NOT hub.may('push') THEN
      RAISE insufficient_privilege USING MESSAGE = 'the scope push is needed';
    END IF;
    derived := 0;
    DELETE FROM hub.raw_events r WHERE r.account_id = mine AND r.session_id = gone;
    GET DIAGNOSTICS raw_events = ROW_COUNT;
    DELETE FROM hub.raw_files r WHERE r.account_id = mine AND r.session_id = gone;
    GET DIAGNOSTICS raw_files = ROW_COUNT;
    ${DERIVED_TABLES.map(
      (table) => `DELETE FROM hub.${table} r WHERE r.account_id = mine AND r.session_id = gone;
    GET DIAGNOSTICS n = ROW_COUNT; derived := derived + n;`,
    ).join("\n    ")}
    DELETE FROM hub.shares r WHERE r.account_id = mine AND r.session_id = gone;
    DELETE FROM hub.sessions r WHERE r.account_id = mine AND r.id = gone;
    GET DIAGNOSTICS n = ROW_COUNT; derived := derived + n;
    IF n > 0 THEN
      INSERT INTO hub.audit (account_id, entry_id, actor, action, detail)
      VALUES (mine, gen_random_uuid(), mine, 'session.delete',
              jsonb_build_object('rawFiles', raw_files, 'rawEvents', raw_events, 'rows', derived));
    END IF;
  END`;

export const core: HubMigration = {
  id: "0002-core",
  why: "rows are derived by a queue, and deleted with the files that they were made of",
  up: () => [
    ...definer({ name: "ask_for_rows", takes: "asked text", returns: "void", body: ASK, for: APP }),
    ...definer({ name: "sweep_rows", takes: "", returns: "bigint", body: SWEEP, for: WORKER }),
    ...definer({ name: "reindex_rows", takes: "whose uuid", returns: "bigint", body: REINDEX, for: WORKER }),
    `CREATE FUNCTION hub.delete_session(gone text, OUT raw_files bigint, OUT raw_events bigint, OUT derived bigint)
       LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$${DELETE}$body$`,
    "REVOKE ALL ON FUNCTION hub.delete_session(text) FROM PUBLIC",
    `GRANT EXECUTE ON FUNCTION hub.delete_session(text) TO ${APP}`,
  ],
};
