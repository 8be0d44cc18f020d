/** A search shows pieces of other people's sessions, and admins see that somebody searched. */
import type { HubMigration } from "../migration.ts";
import { roleName } from "../roles.ts";

/** A page asks again with every letter that is typed, which is one search. */
const SAME_SEARCH = "5 minutes";

export const notedSearches: HubMigration = {
  id: "0012-noted-searches",
  why: "what a search shows of other people's sessions is a reading of them",
  up: () => [
    `CREATE FUNCTION hub.note_search() RETURNS void LANGUAGE sql VOLATILE SECURITY DEFINER
       SET search_path = pg_catalog, pg_temp AS $body$
       INSERT INTO hub.audit (account_id, entry_id, actor, action)
       SELECT hub.me(), gen_random_uuid(), hub.me(), 'searched' WHERE hub.me() IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM hub.audit a WHERE a.account_id = hub.me() AND a.actor = hub.me()
           AND a.action = 'searched' AND a.at > now() - interval '${SAME_SEARCH}')$body$`,
    "REVOKE ALL ON FUNCTION hub.note_search() FROM PUBLIC",
    `GRANT EXECUTE ON FUNCTION hub.note_search() TO ${roleName("app")}`,
  ],
};
