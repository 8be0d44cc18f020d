/**
 * Row-level security: who sees and changes which rows. An account is proven by a token's proof, which the database itself
 * compares with the hash that it keeps; naming an account is not enough, so a query that sets another account's id sees
 * nothing.
 */
import { OWNER, roleName } from "./roles.ts";

/**
 * `own`: only the account's own rows. `shared`: also those of others whose `team_id` is a team of the account. `directory`:
 * those that the policy named in `sees` lets through.
 */
export type Visibility = "own" | "shared" | { readonly sees: string };

/** `none`: only functions of the owner write it. `own`: an account with the scope `push` writes its own rows. */
export type Writing = "none" | "own";

const ME = "(SELECT hub.me())";
const [APP, SQL, WORKER] = [roleName("app"), roleName("sql"), roleName("worker")];

/** `account_id` stands for the row's. */
const READS = {
  own: `account_id = ${ME}`,
  shared: `account_id = ${ME} OR team_id = ANY ((SELECT hub.my_teams())::uuid[])`,
};

export function protect(table: string, visibility: Visibility, writing: Writing): string[] {
  const sees = typeof visibility === "string" ? READS[visibility] : visibility.sees;
  const on = `ON hub.${table}`;
  const mine = `account_id = ${ME} AND (SELECT hub.may('push'))`;
  return [
    `GRANT SELECT ${on} TO ${APP}, ${WORKER}`,
    `CREATE POLICY sees ${on} FOR SELECT TO ${APP}, ${SQL} USING (${sees})`,
    ...(writing === "none"
      ? []
      : [
          `GRANT INSERT, UPDATE, DELETE ${on} TO ${APP}`,
          `CREATE POLICY adds ${on} FOR INSERT TO ${APP} WITH CHECK (${mine})`,
          `CREATE POLICY changes ${on} FOR UPDATE TO ${APP} USING (${mine}) WITH CHECK (${mine})`,
          `CREATE POLICY removes ${on} FOR DELETE TO ${APP} USING (${mine})`,
        ]),
    // A job is about one account, and sees nothing beyond it.
    `GRANT INSERT, UPDATE, DELETE ${on} TO ${WORKER}`,
    `CREATE POLICY works ${on} TO ${WORKER} USING (account_id = (SELECT hub.work_account())) WITH CHECK (account_id = (SELECT hub.work_account()))`,
  ];
}

/**
 * PostgreSQL does not compare new rows with the policies where a partition is a foreign table, so a trigger on those does.
 * Which rows may be seen, changed or removed it decides by the policies there, too.
 */
export const GUARD = `CREATE FUNCTION hub.guard() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
    BEGIN
      -- Each in a statement of its own: a role may not call what the others ask, not even in a branch that is not taken.
      IF current_user = '${APP}' THEN
        IF NEW.account_id = hub.me() AND hub.may('push') THEN RETURN NEW; END IF;
      ELSIF current_user = '${WORKER}' THEN
        IF NEW.account_id = hub.work_account() THEN RETURN NEW; END IF;
      ELSIF current_user = '${OWNER}' THEN
        RETURN NEW;
      END IF;
      RAISE EXCEPTION 'new row violates row-level security policy for table "%"', TG_TABLE_NAME USING ERRCODE = '42501';
    END$body$`;

/**
 * A function that looks past row-level security, and so must check for itself. Each is called several times by every
 * statement, and planning its question for each partition would take longer than all of its answers.
 */
const definer = (signature: string, returns: string, body: string): string[] => [
  `CREATE FUNCTION hub.${signature} RETURNS ${returns} LANGUAGE plpgsql STABLE SECURITY DEFINER
     SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $body$${body}$body$`,
  `REVOKE ALL ON FUNCTION hub.${signature.replaceAll(/(\(|, )\w+ /g, "$1")} FROM PUBLIC`,
];

/** The account that a request says to be of; true once `hub.my_token()` is not null. */
const CLAIMED = "current_setting('rethread.account')::uuid";

/** What the policies ask. `rethread.account` and `rethread.proof` are set for each transaction of a request. */
export const IDENTITY: readonly string[] = [
  ...definer(
    "my_token()",
    "uuid",
    `
    DECLARE claimed text := current_setting('rethread.account', true); found uuid;
    BEGIN
      IF claimed IS NULL OR claimed !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN RETURN NULL; END IF;
      SELECT t.token_id INTO found FROM hub.tokens t JOIN hub.accounts a ON a.account_id = t.account_id
       WHERE t.account_id = claimed::uuid
         AND t.hash = sha256(convert_to(coalesce(current_setting('rethread.proof', true), ''), 'UTF8'))
         AND t.revoked_at IS NULL AND a.revoked_at IS NULL
         AND (t.expires_at IS NULL OR t.expires_at > now());
      RETURN found;
    END`,
  ),
  ...definer(
    "me()",
    "uuid",
    `
    BEGIN
      IF hub.my_token() IS NULL THEN RETURN NULL; END IF;
      RETURN ${CLAIMED};
    END`,
  ),
  ...definer(
    "may(scope text)",
    "boolean",
    `
    DECLARE token uuid := hub.my_token();
    BEGIN
      IF token IS NULL THEN RETURN false; END IF;
      RETURN coalesce((SELECT $1 = ANY (t.scopes) FROM hub.tokens t WHERE t.account_id = ${CLAIMED} AND t.token_id = token), false);
    END`,
  ),
  ...definer(
    "my_teams()",
    "uuid[]",
    `
    BEGIN
      IF NOT hub.may('read') THEN RETURN '{}'; END IF;
      RETURN (SELECT coalesce(array_agg(m.team_id), '{}') FROM hub.members m WHERE m.account_id = ${CLAIMED});
    END`,
  ),
  ...definer(
    "my_mates()",
    "uuid[]",
    `
    DECLARE teams uuid[] := hub.my_teams();
    BEGIN
      RETURN (SELECT coalesce(array_agg(DISTINCT m.account_id), '{}') FROM hub.members m WHERE m.team_id = ANY (teams));
    END`,
  ),
  `CREATE FUNCTION hub.work_account() RETURNS uuid LANGUAGE sql STABLE AS $body$SELECT nullif(current_setting('rethread.work_account', true), '')::uuid$body$`,
  `GRANT USAGE ON SCHEMA hub TO ${APP}, ${SQL}, ${WORKER}, ${roleName("shard")}`,
  `GRANT EXECUTE ON FUNCTION hub.my_token(), hub.me(), hub.may(text), hub.my_teams(), hub.my_mates() TO ${APP}, ${SQL}`,
  `ALTER DEFAULT PRIVILEGES FOR ROLE ${OWNER} IN SCHEMA hub REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`,
];
