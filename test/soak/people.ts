/** Accounts of a load: each with a token, a machine and an address of its own on the loopback network. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { newToken, storedHash, toCredentials } from "../../src/hub/database/credentials.ts";
import type { MachineName } from "../../src/hub/protocol.ts";

export interface Pusher {
  readonly account: string;
  readonly token: string;
  readonly machine: MachineName;
  /** Where its connections come from, as those of another machine would; a hub limits each address. */
  readonly address: string;
}

/** Written by the superuser, in teams of `teamSize` people. */
export async function addPushers(admin: pg.Client, count: number, teamSize = 20): Promise<Pusher[]> {
  const pushers: Pusher[] = [];
  let team = "";
  for (let at = 0; at < count; at++) {
    const account = randomUUID();
    const pusher = {
      ...{ account, token: newToken(account), machine: { id: randomUUID(), name: `laptop-${at}` } },
      address: process.platform === "linux" ? `127.0.${1 + (at >> 7)}.${2 + (at & 127)}` : "127.0.0.1",
    };
    pushers.push(pusher);
    await addPusher(admin, pusher, `dev-${at}`);
    if (at % teamSize === 0) {
      team = randomUUID();
      await admin.query("INSERT INTO hub.teams (account_id, team_id, name) VALUES ($1, $2, $3)", [
        ...[account, team, `team-${at / teamSize}`],
      ]);
    }
    await admin.query("INSERT INTO hub.members (account_id, team_id) VALUES ($1, $2)", [account, team]);
  }
  return pushers;
}

/** To this hub or another. */
export async function addPusher(admin: pg.Client, { account, token }: Pusher, name: string): Promise<void> {
  await admin.query("INSERT INTO hub.accounts (account_id, name) VALUES ($1, $2)", [account, name]);
  await admin.query("INSERT INTO hub.tokens (account_id, token_id, hash, scopes) VALUES ($1, $2, $3, $4)", [
    ...[account, randomUUID(), storedHash(toCredentials(token)), ["push", "read"]],
  ]);
}

/** Everybody shows these repositories to the one team that they are in. */
export async function shareAll(
  admin: pg.Client,
  people: readonly Pusher[],
  repositories: readonly string[],
): Promise<void> {
  await admin.query(
    `INSERT INTO hub.shares (account_id, share_id, team_id, repository)
     SELECT m.account_id, gen_random_uuid(), m.team_id, r.name
       FROM hub.members m CROSS JOIN unnest($2::text[]) AS r (name) WHERE m.account_id = ANY ($1::uuid[])`,
    [people.map(({ account }) => account), repositories],
  );
}
