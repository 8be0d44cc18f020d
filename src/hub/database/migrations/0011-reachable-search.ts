/** Searches ask the servers of the accounts that a request names, so that they answer while another server is down. */
import type { HubMigration } from "../migration.ts";
import { roleName } from "../roles.ts";
import { PEOPLE, search } from "./0004/search.ts";

/** The variable of a transaction that names them; it only ever leaves people out. */
export const ASKED_ACCOUNTS = "rethread.accounts";

const NARROWED = `SELECT CASE WHEN coalesce(current_setting('${ASKED_ACCOUNTS}', true), '') = '' THEN all_of
  ELSE ARRAY(SELECT p FROM unnest(all_of) p WHERE p = ANY (nullif(current_setting('${ASKED_ACCOUNTS}', true), '')::uuid[])) END`;

export const reachableSearch: HubMigration = {
  id: "0011-reachable-search",
  why: "searches answer with what can be reached while a server is down",
  up: (layout) => [
    `CREATE FUNCTION hub.asked_people(all_of uuid[]) RETURNS uuid[] LANGUAGE sql STABLE
       SET search_path = pg_catalog, pg_temp AS $body$${NARROWED}$body$`,
    "REVOKE ALL ON FUNCTION hub.asked_people(uuid[]) FROM PUBLIC",
    `GRANT EXECUTE ON FUNCTION hub.asked_people(uuid[]) TO ${roleName("app")}`,
    ...search(layout).map((statement) =>
      statement
        .replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
        .replace(PEOPLE, `hub.asked_people(${PEOPLE})`),
    ),
  ],
};
