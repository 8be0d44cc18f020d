/** The first user and the first team of a hub. */
import { AppError } from "../../model/errors.ts";
import type { Transaction } from "../database/connect.ts";
import { firstAdmin } from "./find.ts";
import { SCOPES } from "./names.ts";
import { addTeam, joinTeam } from "./teams.ts";
import { giveToken, type TokenWish } from "./tokens.ts";
import { addUser } from "./users.ts";

export const FIRST = { user: "admin", team: "team" } as const;

export interface SetUp {
  readonly user: string;
  readonly team: string;
  readonly token: string;
}

/** Once; afterwards there are users, and tokens are rotated. */
export async function setUpHub(
  tx: Transaction,
  { user = FIRST.user, team = FIRST.team, expiresAt }: SetUpWish = {},
): Promise<SetUp> {
  if (await firstAdmin(tx))
    throw new AppError(
      "user-exists",
      "This hub has been set up already",
      "Add users with `rethread hub user add`; a lost token is replaced by `rethread hub user rotate`",
    );
  const added = await addUser(tx, { name: user, scopes: SCOPES, teams: [], ...(expiresAt && { expiresAt }) });
  const made = await addTeam(tx, team, added.account);
  await joinTeam(tx, made.team, added.user);
  return { user: added.user, team: made.team, token: added.token };
}

export interface SetUpWish {
  readonly user?: string;
  readonly team?: string;
  readonly expiresAt?: Date;
}

/** For who starts the server on this machine: a token of the first admin, who is made where there is none. */
export async function giveOperatorToken(
  tx: Transaction,
  wish: Omit<TokenWish, "scopes">,
): Promise<{ readonly token: string; readonly id: string; readonly account: string }> {
  let account = await firstAdmin(tx);
  if (account === undefined) {
    await setUpHub(tx);
    account = (await firstAdmin(tx)) ?? "";
    await tx.change("DELETE FROM hub.tokens WHERE account_id = $1", [account]);
  }
  return { ...(await giveToken(tx, account, { ...wish, scopes: SCOPES })), account };
}

/** The team that new users join where none is named: the only one. */
export async function onlyTeam(tx: Transaction): Promise<string | undefined> {
  const rows = await tx.query("SELECT name FROM hub.teams LIMIT 2");
  return rows.length === 1 ? String(rows[0]?.name) : undefined;
}
