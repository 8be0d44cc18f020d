/** People of a test hub, with tokens that the database believes. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { type Credentials, newToken, storedHash, toCredentials } from "../../src/hub/database/credentials.ts";
import { urlOfPlace } from "../../src/hub/provider/place-of-url.ts";
import type { TestHub } from "./cluster.ts";

export interface TestAccount {
  readonly token: string;
  readonly who: Credentials;
}

export async function newAccount(hub: TestHub, scopes = ["push", "read"]): Promise<TestAccount> {
  const account = randomUUID();
  const token = newToken(account);
  const who = toCredentials(token);
  const admin = new pg.Client(hub.admin);
  await admin.connect();
  await admin.query("INSERT INTO hub.accounts (account_id, name) VALUES ($1, $2)", [account, account]);
  await admin.query("INSERT INTO hub.tokens (account_id, token_id, hash, scopes) VALUES ($1, $2, $3, $4)", [
    account,
    randomUUID(),
    storedHash(who),
    scopes,
  ]);
  await admin.end();
  return { token, who };
}

/** How an application that is trusted with one role reaches the database. */
export const urlOf = ({ place }: TestHub): string => urlOfPlace(place);
