/** Who there is: the teams of the account and their members; for admins, everybody. */
import type { HubDatabase } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { requireScope } from "../ingest/access.ts";

export interface TeamMembers {
  readonly team: string;
  readonly members: readonly string[];
}

export interface Directory {
  readonly teams: readonly TeamMembers[];
  /** Everybody whose name may be seen. */
  readonly people: readonly string[];
}

export const readDirectory = (db: HubDatabase, who: Credentials): Promise<Directory> =>
  db.as(who, async (tx) => {
    await requireScope(tx, "read");
    const people = await tx.query(`SELECT a.name FROM hub.accounts a ORDER BY a.name COLLATE "C"`);
    const teams = await tx.query(
      `SELECT t.name, coalesce((SELECT array_agg(a.name ORDER BY a.name COLLATE "C") FROM hub.members m
                JOIN hub.accounts a ON a.account_id = m.account_id WHERE m.team_id = t.team_id), '{}') AS members
         FROM hub.teams t WHERE t.team_id = ANY (hub.my_teams()) ORDER BY t.name COLLATE "C"`,
    );
    return {
      teams: teams.map(({ name, members }) => ({
        team: String(name),
        members: members as readonly string[],
      })),
      people: people.map(({ name }) => String(name)),
    };
  });
