/** What the server asks in the name of a token: who that is, a token for a browser, and notes for the audit table. */
import type { HubMigration } from "../migration.ts";
import { roleName } from "../roles.ts";

/** Looks past row-level security, so each of these asks `hub.me()` before anything else. */
const definer = (
  signature: string,
  types: string,
  returns: string,
  body: string,
  volatility = "STABLE",
): string[] => [
  `CREATE FUNCTION hub.${signature} RETURNS ${returns} LANGUAGE sql ${volatility} SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$${body}$body$`,
  `REVOKE ALL ON FUNCTION hub.${signature.split("(")[0]}(${types}) FROM PUBLIC`,
  `GRANT EXECUTE ON FUNCTION hub.${signature.split("(")[0]}(${types}) TO ${roleName("app")}`,
];

/** Of browsers; a web token makes no other, so that a stolen cookie ends with its day. */
export const WEB_HOURS = 12;
/** A page asks for a session piece by piece, which is one reading of it. */
export const SAME_READING = "5 minutes";

export const server: HubMigration = {
  id: "0003-server",
  why: "the server knows who asks, browsers get tokens of their own, and admins see who read what",
  up: () => [
    ...definer(
      "who()",
      "",
      "TABLE (account uuid, name text, scopes text[], kind text, expires_at timestamptz)",
      `SELECT a.account_id, a.name, t.scopes, t.kind, t.expires_at FROM hub.accounts a
         JOIN hub.tokens t ON t.account_id = a.account_id
        WHERE a.account_id = hub.me() AND t.token_id = hub.my_token()`,
    ),
    ...definer(
      "note_use()",
      "",
      "void",
      "UPDATE hub.tokens SET last_used_at = now() WHERE account_id = hub.me() AND token_id = hub.my_token()",
      "VOLATILE",
    ),
    ...definer(
      "web_token(id uuid, hash bytea)",
      "uuid, bytea",
      "timestamptz",
      `WITH made AS (
         INSERT INTO hub.tokens (account_id, token_id, hash, scopes, label, expires_at, kind)
         SELECT t.account_id, $1, $2, t.scopes, 'browser',
                least(now() + interval '${WEB_HOURS} hours', t.expires_at), 'web'
           FROM hub.tokens t
          WHERE t.account_id = hub.me() AND t.token_id = hub.my_token() AND t.kind <> 'web' AND octet_length($2) = 32
         RETURNING account_id, expires_at),
       noted AS (
         INSERT INTO hub.audit (account_id, entry_id, actor, action)
         SELECT account_id, gen_random_uuid(), account_id, 'signed-in' FROM made)
       SELECT expires_at FROM made`,
      "VOLATILE",
    ),
    ...definer(
      "end_web_token()",
      "",
      "bigint",
      `WITH ended AS (
         UPDATE hub.tokens SET revoked_at = now()
          WHERE account_id = hub.me() AND token_id = hub.my_token() AND kind = 'web' RETURNING 1)
       SELECT count(*) FROM ended`,
      "VOLATILE",
    ),
    ...definer(
      "note_read(owner uuid, session text)",
      "uuid, text",
      "void",
      `INSERT INTO hub.audit (account_id, entry_id, actor, action, subject)
       SELECT s.account_id, gen_random_uuid(), hub.me(), 'session-read', s.id FROM hub.sessions s
        WHERE s.account_id = $1 AND s.id = $2 AND s.account_id <> hub.me() AND s.team_id = ANY (hub.my_teams())
          AND NOT EXISTS (SELECT 1 FROM hub.audit a
            WHERE a.account_id = s.account_id AND a.actor = hub.me() AND a.subject = s.id
              AND a.action = 'session-read' AND a.at > now() - interval '${SAME_READING}')`,
      "VOLATILE",
    ),
    ...definer(
      "note_query()",
      "",
      "void",
      `INSERT INTO hub.audit (account_id, entry_id, actor, action)
       SELECT hub.me(), gen_random_uuid(), hub.me(), 'sql' WHERE hub.me() IS NOT NULL`,
      "VOLATILE",
    ),
    ...definer(
      "schema_state()",
      "",
      "text[]",
      "SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM hub.migrations",
    ),
  ],
};
