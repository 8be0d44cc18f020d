/**
 * Which functions and tables a query uses, as PostgreSQL itself reads it: the query becomes the body of a temporary
 * function that is never called, and the parsed body names everything by its number. Only what is known to read alone is
 * let through.
 */
import type pg from "pg";
import { AppError } from "../../model/errors.ts";
import { STORE } from "../database/migrations/0004/views.ts";

/** Numbers of functions and tables in a parsed query. In constants and names there is no such text that is not escaped. */
const NAMED = String.raw`:(funcid|aggfnoid|winfnoid|opfuncid|tsmhandler|relid) (\d+)`;

/** These change with every call, and nothing else. */
const HARMLESS = [
  "random",
  "clock_timestamp",
  "statement_timestamp",
  "timeofday",
  "gen_random_uuid",
  "uuidv4",
  "uuidv7",
];
/** Of those that tell of the server, its settings, its sessions or files, or run a query that is given as a text. */
const FORBIDDEN =
  "^(pg_|has_|current_setting|.*_to_xml|.*_to_xmlschema|ts_stat|ts_rewrite|inet_|lo_|txid_|row_security|dblink)";
const KNOWN_PG = ["pg_column_size", "pg_typeof", "pg_size_pretty"];

const FOUND = `
  WITH named AS MATERIALIZED (
    SELECT DISTINCT m[1] AS kind, m[2]::oid AS id
      FROM pg_catalog.pg_proc p, pg_catalog.regexp_matches(p.prosqlbody::text, $1, 'g') m
     WHERE p.oid = 'pg_temp.asked()'::regprocedure)
  SELECT 'table' AS kind, c.relname AS name FROM named n JOIN pg_catalog.pg_class c ON c.oid = n.id
    JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
   WHERE n.kind = 'relid' AND s.nspname <> $2
  UNION ALL
  SELECT 'function', p.proname FROM named n JOIN pg_catalog.pg_proc p ON p.oid = n.id
    JOIN pg_catalog.pg_namespace s ON s.oid = p.pronamespace
   WHERE n.kind <> 'relid' AND NOT (
     s.nspname = $2
     OR (s.nspname = 'public' AND p.provolatile <> 'v' AND p.probin IS NOT NULL
         AND EXISTS (SELECT 1 FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
                      WHERE d.objid = p.oid AND d.deptype = 'e' AND e.extname = 'pg_trgm'))
     OR (s.nspname = 'pg_catalog' AND (p.proname = ANY ($3)
         OR (p.provolatile <> 'v' AND p.proname !~ $4))))
   LIMIT 1`;

/** Sent so that the protocol takes one statement and refuses several. */
export const alone = (text: string): pg.QueryConfig => {
  const config = { text, queryMode: "extended" };
  return config;
};

const bodyOf = (name: string, query: string): pg.QueryConfig =>
  alone(`CREATE FUNCTION pg_temp.${name}() RETURNS SETOF record LANGUAGE sql BEGIN ATOMIC ${query}\n; END`);

/** The caller rolls its transaction back. `query` is what is run; `sql`, as it was written, has to be a query by itself. */
export async function refuseForbidden(client: pg.PoolClient, query: string, sql: string): Promise<void> {
  await client.query(bodyOf("asked", query));
  // Otherwise it could close the brackets around it, and go on beyond what is asked of its rows.
  await client.query(bodyOf("written", sql));
  const { rows } = await client.query<{ kind: string; name: string }>(FOUND, [
    ...[NAMED, STORE, [...HARMLESS, ...KNOWN_PG], FORBIDDEN],
  ]);
  const [first] = rows;
  if (!first) return;
  throw new AppError(
    "sql-refused",
    first.kind === "table"
      ? `A query of the hub reads its own tables, and not ${first.name}`
      : `A query of the hub does not call ${first.name}()`,
    "See which tables and views there are with `rethread sql --hub --schema`",
  );
}
