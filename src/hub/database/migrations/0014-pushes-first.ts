/** Rows that are made again wait for those of pushes: of a hundred thousand sessions, that takes half an hour. */
import type { HubMigration } from "../migration.ts";
import { addJobs } from "./0002-core.ts";

const LATER = -1;

/** With the grants that it has. */
const replaced = (name: string, takes: string, returns: string, body: string): string =>
  `CREATE OR REPLACE FUNCTION hub.${name}(${takes}) RETURNS ${returns} LANGUAGE plpgsql VOLATILE
     SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$${body}$body$`;

/** A job that waits for its turn is brought forward. */
const ASK = `
  DECLARE mine uuid := hub.me();
  BEGIN
    IF mine IS NULL OR NOT EXISTS (SELECT 1 FROM hub.sessions s WHERE s.account_id = mine AND s.id = asked) THEN
      RAISE insufficient_privilege USING MESSAGE = 'no such session';
    END IF;
    ${addJobs("(SELECT mine AS account_id, asked AS id) s")}
    IF NOT FOUND THEN
      UPDATE hub_queue.job j SET priority = 0
       WHERE j.name = 'derive' AND coalesce(j.singleton_key, '') = mine::text || ' ' || asked
         AND j.state = 'created' AND j.policy = 'short' AND j.priority < 0;
    END IF;
  END`;

const NOBODY_HAS_IT = `NOT s.is_sealed AND NOT EXISTS (
  SELECT 1 FROM hub_queue.job j
   WHERE j.name = 'derive' AND j.singleton_key = s.account_id::text || ' ' || s.id
     AND j.state IN ('created', 'retry', 'active', 'failed'))`;

const SWEEP = `
  DECLARE n bigint; more bigint;
  BEGIN
    ${addJobs("hub.sessions s", `s.raw_version > s.derived_version AND ${NOBODY_HAS_IT}`)}
    GET DIAGNOSTICS n = ROW_COUNT;
    ${addJobs("hub.sessions s", `s.rows_version < current AND ${NOBODY_HAS_IT}`, LATER)}
    GET DIAGNOSTICS more = ROW_COUNT;
    RETURN n + more;
  END`;

const REINDEX = `
  DECLARE n bigint;
  BEGIN
    ${addJobs("hub.sessions s", "NOT s.is_sealed AND (whose IS NULL OR s.account_id = whose)", LATER)}
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
  END`;

export const pushesFirst: HubMigration = {
  id: "0014-pushes-first",
  why: "what people push is found soon also while all rows are made again",
  up: () => [
    replaced("ask_for_rows", "asked text", "void", ASK),
    replaced("sweep_rows", "current integer", "bigint", SWEEP),
    replaced("reindex_rows", "whose uuid", "bigint", REINDEX),
  ],
};
