/** Who asks a hub: what the database knows of a token, and the tokens of browsers. */
import { randomUUID } from "node:crypto";
import { AppError } from "../../model/errors.ts";
import type { HubDatabase } from "../database/connect.ts";
import {
  type Credentials,
  findCredentials,
  newToken,
  storedHash,
  toCredentials,
} from "../database/credentials.ts";
import { prepared } from "../database/prepared.ts";
import type { MachineName } from "../protocol.ts";

export interface Caller {
  readonly who: Credentials;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly kind: string;
}

/** Asked with every request. */
const WHO = prepared("SELECT name, scopes, kind FROM hub.who()");

/** Nobody, where the text is no token or the database does not believe it. */
export async function findCaller(db: HubDatabase, token: string): Promise<Caller | undefined> {
  const who = findCredentials(token);
  if (!who) return undefined;
  const [row] = await db.as(who, (tx) => tx.query(WHO), { isPlannedOnce: true });
  if (!row) return undefined;
  return { who, name: String(row.name), scopes: row.scopes as readonly string[], kind: String(row.kind) };
}

/** When the token was used last; asked now and then, not with every request. */
export const noteUse = (db: HubDatabase, who: Credentials): Promise<void> =>
  db.as(who, async (tx) => void (await tx.query("SELECT hub.note_use()")));

export interface Me {
  readonly user: string;
  readonly scopes: readonly string[];
  readonly teams: readonly { readonly name: string }[];
  readonly machines: readonly MachineName[];
}

export const describeCaller = (db: HubDatabase, { who, name, scopes }: Caller): Promise<Me> =>
  db.as(who, async (tx) => {
    const teams = await tx.query(
      `SELECT DISTINCT t.name FROM hub.teams t JOIN hub.members m ON m.team_id = t.team_id
        WHERE m.account_id = hub.me() ORDER BY t.name`,
    );
    const machines = await tx.query(
      "SELECT machine_id, name FROM hub.machines WHERE account_id = $1 ORDER BY name, machine_id",
      [who.account],
    );
    return {
      user: name,
      scopes,
      teams: teams.map((row) => ({ name: String(row.name) })),
      machines: machines.map((row) => ({ id: String(row.machine_id), name: String(row.name) })),
    };
  });

/** A token for a browser, with the rights of the one that asks for it; a browser's own makes no other. */
export async function giveWebToken(
  db: HubDatabase,
  who: Credentials,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = newToken(who.account);
  const [row] = await db.as(who, (tx) =>
    tx.query("SELECT hub.web_token($1, $2) AS expires_at", [randomUUID(), storedHash(toCredentials(token))]),
  );
  if (row?.expires_at instanceof Date) return { token, expiresAt: row.expires_at };
  throw new AppError(
    "not-signed-in",
    "That token cannot sign a browser in",
    "Use one that an admin of the hub gave out",
  );
}

/** Ends the token of a browser; others stay. */
export const endWebToken = (db: HubDatabase, who: Credentials): Promise<void> =>
  db.as(who, async (tx) => void (await tx.query("SELECT hub.end_web_token()")));
