/** Teams and who is in them, as the operator of a hub keeps them. */
import { randomUUID } from "node:crypto";
import { AppError } from "../../model/errors.ts";
import type { Transaction } from "../database/connect.ts";
import { lockAccount } from "../ingest/locks.ts";
import { noteInAudit } from "./audit.ts";
import { firstAdmin, knownTeam, knownUser, teamNamed } from "./find.ts";
import { toName } from "./names.ts";

export interface HubTeam {
  readonly name: string;
  readonly members: readonly string[];
}

const LOCK = 7_346_300;

/** The row of a team belongs to the account that founded it: the first admin, unless another is named. */
export async function addTeam(tx: Transaction, text: string, by?: string): Promise<{ team: string }> {
  const name = toName("team", text);
  const founder = by ?? (await firstAdmin(tx));
  if (founder === undefined)
    throw new AppError("user-not-found", "This hub has no admin yet", "Make one with `rethread hub init`");
  await tx.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  if (await teamNamed(tx, name))
    throw new AppError(
      "team-exists",
      `There is a team ${name} already`,
      "Choose another name, or use that one",
    );
  await tx.change("INSERT INTO hub.teams (account_id, team_id, name) VALUES ($1, $2, $3)", [
    founder,
    randomUUID(),
    name,
  ]);
  await noteInAudit(tx, founder, "team-added", name);
  return { team: name };
}

export async function listTeams(tx: Transaction): Promise<HubTeam[]> {
  const rows = await tx.query(
    `SELECT t.name, (SELECT coalesce(jsonb_agg(a.name ORDER BY a.name), '[]') FROM hub.members m
        JOIN hub.accounts a ON a.account_id = m.account_id WHERE m.team_id = t.team_id) AS members
       FROM hub.teams t ORDER BY t.name`,
  );
  return rows.map(({ name, members }) => ({ name: String(name), members: members as string[] }));
}

/** Whoever is in it already stays in it. */
export async function joinTeam(
  tx: Transaction,
  teamText: string,
  userText: string,
): Promise<{ team: string; user: string }> {
  const { team, name } = await knownTeam(tx, teamText);
  const { account, name: user } = await knownUser(tx, userText);
  const added = await tx.change(
    "INSERT INTO hub.members (account_id, team_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [account, team],
  );
  if (added > 0) await noteInAudit(tx, account, "team-joined", name, { user });
  return { team: name, user };
}

/** What the user shared with the team is no longer shared with it. */
export async function leaveTeam(
  tx: Transaction,
  teamText: string,
  userText: string,
): Promise<{ team: string; user: string }> {
  const { team, name } = await knownTeam(tx, teamText);
  const { account, name: user } = await knownUser(tx, userText);
  // No session is pushed or derived meanwhile, so that none stays before the team.
  await lockAccount(tx, account);
  await tx.change("DELETE FROM hub.members WHERE account_id = $1 AND team_id = $2", [account, team]);
  const gone = await tx.query(
    "DELETE FROM hub.shares WHERE account_id = $1 AND team_id = $2 RETURNING session_id, repository",
    [account, team],
  );
  const tables = await tx.query(
    `SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute k ON k.attrelid = c.oid
      WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind IN ('p', 'r') AND NOT c.relispartition
        AND k.attname = 'team_id' AND NOT k.attnotnull`,
  );
  for (const { name: table } of tables)
    await tx.change(`UPDATE hub.${String(table)} SET team_id = NULL WHERE account_id = $1 AND team_id = $2`, [
      account,
      team,
    ]);
  // Where another team sees them by a share that is left, it does from now on.
  for (const { session_id, repository } of gone)
    await tx.query("SELECT hub.settle_team($1, $2, $3)", [account, session_id, repository]);
  await noteInAudit(tx, account, "team-left", name, { user });
  return { team: name, user };
}
