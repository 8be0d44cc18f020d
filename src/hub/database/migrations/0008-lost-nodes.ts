/** Names of machines can be read while a server that holds other people's sessions is down. */
import type { HubMigration } from "../migration.ts";
import { roleName } from "../roles.ts";
import { definer } from "./0002-core.ts";

const [APP, SQL] = [roleName("app"), roleName("sql")];

/**
 * What the policy of sessions says, asked about one account. A query inside of the policy would connect to every server
 * before it knows whose machine it is about; this one is planned with the account, and asks the server that has it.
 */
const SHOWS = `
  DECLARE found boolean;
  BEGIN
    EXECUTE 'SELECT EXISTS (SELECT 1 FROM hub.sessions s WHERE s.account_id = $1 AND s.machine_id = $2 AND s.team_id = ANY ($3))'
      INTO found USING owner, machine, hub.my_teams();
    RETURN found;
  END`;

export const lostNodes: HubMigration = {
  id: "0008-lost-nodes",
  why: "lists and statistics answer with what can be reached while a server is down",
  up: () => [
    ...definer({
      ...{ name: "shows_machine", takes: "owner uuid, machine uuid", returns: "boolean", body: SHOWS },
      ...{ stable: true, for: `${APP}, ${SQL}` },
    }),
    "DROP POLICY sees_shared ON hub.machines",
    `CREATE POLICY sees_shared ON hub.machines FOR SELECT TO ${APP}, ${SQL} USING (
       account_id = ANY ((SELECT hub.my_mates())::uuid[]) AND account_id <> (SELECT hub.me())
       AND hub.shows_machine(account_id, machine_id))`,
  ],
};
