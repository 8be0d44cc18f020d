/** The users of a hub, as its operator keeps them. Each statement runs as the owner of the tables. */
import { randomUUID } from "node:crypto";
import { AppError } from "../../model/errors.ts";
import type { ColumnValue, Transaction } from "../database/connect.ts";
import { noteInAudit } from "./audit.ts";
import { accountNamed, knownUser } from "./find.ts";
import { type Scope, toName } from "./names.ts";
import { joinTeam } from "./teams.ts";
import { giveToken, revokeTokens } from "./tokens.ts";

export interface HubUser {
  readonly name: string;
  readonly teams: readonly string[];
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** Those that still open something. */
  readonly tokens: readonly {
    readonly scopes: readonly string[];
    readonly kind: string;
    readonly createdAt: string;
    readonly expiresAt?: string;
    readonly lastUsedAt?: string;
  }[];
}

export interface NewUser {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
  readonly teams: readonly string[];
}

/** Any number will do: names are only unique because one at a time is added. */
const LOCK = 7_346_299;

export async function addUser(
  tx: Transaction,
  { name: text, scopes, expiresAt, teams }: NewUser,
): Promise<{ readonly user: string; readonly token: string; readonly account: string }> {
  const name = toName("user", text);
  await tx.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  if (await accountNamed(tx, name))
    throw new AppError(
      "user-exists",
      `There is a user ${name} already`,
      "Choose another name, or give that one a new token with `rethread hub user rotate`",
    );
  const account = randomUUID();
  await tx.change("INSERT INTO hub.accounts (account_id, name) VALUES ($1, $2)", [account, name]);
  const { token } = await giveToken(tx, account, { scopes, ...(expiresAt && { expiresAt }) });
  for (const team of teams) await joinTeam(tx, team, name);
  await noteInAudit(tx, account, "user-added", name, { scopes });
  return { user: name, token, account };
}

export async function listUsers(tx: Transaction): Promise<HubUser[]> {
  const rows = await tx.query(
    `SELECT a.name, a.created_at, a.revoked_at,
            (SELECT coalesce(jsonb_agg(t.name ORDER BY t.name), '[]') FROM hub.members m
               JOIN hub.teams t ON t.team_id = m.team_id WHERE m.account_id = a.account_id) AS teams,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('scopes', k.scopes, 'kind', k.kind, 'createdAt', k.created_at,
                'expiresAt', k.expires_at, 'lastUsedAt', k.last_used_at) ORDER BY k.created_at), '[]')
               FROM hub.tokens k WHERE k.account_id = a.account_id AND k.revoked_at IS NULL
                AND (k.expires_at IS NULL OR k.expires_at > now())) AS tokens
       FROM hub.accounts a ORDER BY a.name`,
  );
  return rows.map(({ name, created_at, revoked_at, teams, tokens }) => ({
    name: String(name),
    teams: teams as string[],
    createdAt: iso(created_at),
    ...(revoked_at !== null && { revokedAt: iso(revoked_at) }),
    tokens: (tokens as unknown as Record<string, ColumnValue>[]).map(
      ({ scopes, kind, createdAt, expiresAt, lastUsedAt }) => ({
        scopes: scopes as string[],
        kind: String(kind),
        createdAt: iso(createdAt),
        ...(expiresAt !== null && { expiresAt: iso(expiresAt) }),
        ...(lastUsedAt !== null && { lastUsedAt: iso(lastUsedAt) }),
      }),
    ),
  }));
}

/** Ends the account and all of its tokens. What it pushed stays, and so do its shares. */
export async function revokeUser(tx: Transaction, text: string): Promise<{ user: string; tokens: number }> {
  const { account, name } = await knownUser(tx, text);
  await tx.change("UPDATE hub.accounts SET revoked_at = now() WHERE account_id = $1", [account]);
  const tokens = await revokeTokens(tx, account);
  await noteInAudit(tx, account, "user-revoked", name, { tokens });
  return { user: name, tokens };
}

/** A new token instead of all others; with their scopes, unless others are named. A user who was revoked is back. */
export async function rotateUser(
  tx: Transaction,
  text: string,
  { scopes, expiresAt }: { readonly scopes?: readonly Scope[]; readonly expiresAt?: Date },
): Promise<{ readonly user: string; readonly token: string; readonly revoked: number }> {
  const { account, name } = await knownUser(tx, text);
  // The first admin may only have been signed in by the server that made the hub.
  const [last] = await tx.query(
    "SELECT scopes FROM hub.tokens WHERE account_id = $1 ORDER BY kind = 'program' DESC, created_at DESC LIMIT 1",
    [account],
  );
  const kept = (last?.scopes as readonly Scope[] | undefined) ?? ["push", "read"];
  const revoked = await revokeTokens(tx, account);
  await tx.change("UPDATE hub.accounts SET revoked_at = NULL WHERE account_id = $1", [account]);
  const { token } = await giveToken(tx, account, {
    scopes: scopes ?? kept,
    ...(expiresAt && { expiresAt }),
  });
  await noteInAudit(tx, account, "token-rotated", name, { scopes: scopes ?? kept, revoked });
  return { user: name, token, revoked };
}

const iso = (value: ColumnValue): string =>
  (value instanceof Date ? value : new Date(String(value))).toISOString();
