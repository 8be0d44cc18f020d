/** Users and teams by their names. */
import { AppError } from "../../model/errors.ts";
import type { Transaction } from "../database/connect.ts";
import { toName } from "./names.ts";

export async function knownUser(tx: Transaction, text: string): Promise<{ account: string; name: string }> {
  const name = toName("user", text);
  const account = await accountNamed(tx, name);
  if (account !== undefined) return { account, name };
  throw new AppError(
    "user-not-found",
    `There is no user ${name}`,
    "See them all with `rethread hub user list`",
  );
}

export async function accountNamed(tx: Transaction, name: string): Promise<string | undefined> {
  const [found] = await tx.query("SELECT account_id FROM hub.accounts WHERE name = $1", [name]);
  return found && String(found.account_id);
}

export async function knownTeam(tx: Transaction, text: string): Promise<{ team: string; name: string }> {
  const name = toName("team", text);
  const team = await teamNamed(tx, name);
  if (team !== undefined) return { team, name };
  throw new AppError(
    "team-not-found",
    `There is no team ${name}`,
    "See them all with `rethread hub team list`",
  );
}

export async function teamNamed(tx: Transaction, name: string): Promise<string | undefined> {
  const [found] = await tx.query("SELECT team_id FROM hub.teams WHERE name = $1", [name]);
  return found && String(found.team_id);
}

/** The oldest account that was given the scope admin and has not been revoked. */
export async function firstAdmin(tx: Transaction): Promise<string | undefined> {
  const [found] = await tx.query(
    `SELECT a.account_id FROM hub.accounts a WHERE a.revoked_at IS NULL
        AND EXISTS (SELECT 1 FROM hub.tokens t WHERE t.account_id = a.account_id AND 'admin' = ANY (t.scopes))
      ORDER BY a.created_at, a.account_id LIMIT 1`,
  );
  return found && String(found.account_id);
}
