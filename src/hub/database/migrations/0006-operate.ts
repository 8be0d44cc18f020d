/** What operators and admins ask of a hub as a whole: how large it is, how far its rows are, and to make them again. */
import type { HubMigration } from "../migration.ts";
import { roleName } from "../roles.ts";

const [APP, WORKER] = [roleName("app"), roleName("worker")];

interface OwnerFunction {
  readonly name: string;
  readonly takes?: string;
  readonly returns: string;
  readonly body: string;
  readonly for: readonly string[];
}

/** Runs as the owner, past row-level security. Those that tell of data, and are not for the owner alone, check who asks. */
const owner = ({ name, takes = "", returns, body, for: roles }: OwnerFunction): string[] => {
  const types = takes.replaceAll(/(^|, )\w+ /g, "$1");
  return [
    `CREATE FUNCTION hub.${name}(${takes}) RETURNS ${returns} LANGUAGE plpgsql VOLATILE SECURITY DEFINER
       SET search_path = pg_catalog, pg_temp AS $body$${body}$body$`,
    `REVOKE ALL ON FUNCTION hub.${name}(${types}) FROM PUBLIC`,
    ...roles.map((role) => `GRANT EXECUTE ON FUNCTION hub.${name}(${types}) TO ${role}`),
  ];
};

/** Numbers alone; an error's words may be about somebody's session. */
const QUEUE = `BEGIN RETURN (
  SELECT jsonb_build_object(
      'waiting', count(*) FILTER (WHERE state IN ('created', 'retry')),
      'active', count(*) FILTER (WHERE state = 'active'),
      'failed', count(*) FILTER (WHERE state = 'failed'),
      'oldestSeconds', coalesce(extract(epoch FROM now() - min(created_on)
          FILTER (WHERE state IN ('created', 'retry', 'active'))), 0))
    FROM hub_queue.job WHERE name = 'derive' AND state IN ('created', 'retry', 'active', 'failed')); END`;

const REASONS = `SELECT coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'count', n) ORDER BY n DESC, reason), '[]')
  FROM (SELECT left(coalesce(output ->> 'error', output ->> 'message', output ->> 'value', 'unknown'), 300) AS reason,
               count(*) AS n
          FROM hub_queue.job WHERE name = 'derive' AND state IN ('failed', 'retry') AND output IS NOT NULL
         GROUP BY 1 ORDER BY 2 DESC LIMIT 20) r`;

/** On this server; what other nodes hold is not in it. */
const diskBytes = (which: string): string =>
  `(SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
     WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind = 'r' AND ${which})`;
const IS_RAW = "c.relname ~ '^(raw|provider)_'";

const STATE = `BEGIN RETURN (
  SELECT jsonb_build_object(
    'people', (SELECT count(*) FROM hub.accounts WHERE revoked_at IS NULL),
    'revoked', (SELECT count(*) FROM hub.accounts WHERE revoked_at IS NOT NULL),
    'teams', (SELECT count(*) FROM hub.teams),
    'machines', (SELECT count(*) FROM hub.machines),
    'sessions', s.sessions, 'sealed', s.sealed, 'shared', s.shared, 'behind', s.behind, 'turns', s.turns,
    'files', f.files, 'events', f.events, 'bytes', f.bytes,
    'rawDiskBytes', ${diskBytes(IS_RAW)},
    'derivedDiskBytes', ${diskBytes(`NOT ${IS_RAW}`)},
    'databaseBytes', pg_database_size(current_database()),
    'queue', hub.queue_state(),
    'reasons', (${REASONS}),
    'schema', to_jsonb(hub.schema_state()),
    'postgres', current_setting('server_version'))
  FROM (SELECT count(*) AS sessions, count(*) FILTER (WHERE is_sealed) AS sealed,
               count(*) FILTER (WHERE team_id IS NOT NULL) AS shared,
               count(*) FILTER (WHERE raw_version > derived_version AND NOT is_sealed) AS behind,
               coalesce(sum(turn_count), 0) AS turns FROM hub.sessions) s,
       (SELECT count(*) AS files, coalesce(sum(events), 0) AS events, coalesce(sum(size), 0) AS bytes
          FROM hub.raw_files WHERE removed_at IS NULL) f); END`;

const requireAdmin = `IF NOT coalesce(hub.may('admin'), false) THEN
      RAISE insufficient_privilege USING MESSAGE = 'the scope admin is needed';
    END IF;`;

const REINDEX = `
  DECLARE n bigint;
  BEGIN
    ${requireAdmin}
    n := hub.reindex_rows(whose);
    INSERT INTO hub.audit (account_id, entry_id, actor, action, detail)
    VALUES (coalesce(whose, hub.me()), gen_random_uuid(), hub.me(), 'reindex', jsonb_build_object('queued', n));
    RETURN n;
  END`;

export const operate: HubMigration = {
  id: "0006-operate",
  why: "admins see how a hub is, and have its rows made again",
  up: () => [
    ...owner({ name: "queue_state", returns: "jsonb", body: QUEUE, for: [APP, WORKER] }),
    ...owner({ name: "whole_state", returns: "jsonb", body: STATE, for: [] }),
    ...owner({
      name: "admin_state",
      returns: "jsonb",
      body: `BEGIN ${requireAdmin} RETURN hub.whole_state(); END`,
      for: [APP],
    }),
    ...owner({ name: "admin_reindex", takes: "whose uuid", returns: "bigint", body: REINDEX, for: [APP] }),
  ],
};
