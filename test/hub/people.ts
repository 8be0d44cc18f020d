/** People of a hub in tests: accounts with tokens, and teams, written by the superuser. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { type Credentials, newToken, storedHash, toCredentials } from "../../src/hub/database/credentials.ts";
import type { TestHub } from "./cluster.ts";

export interface Person extends Credentials {
  readonly name: string;
  readonly token: string;
}

export interface People {
  add(name: string, scopes?: readonly string[]): Promise<Person>;
  team(name: string, ...members: readonly Person[]): Promise<string>;
  /** Asks as the superuser, whom no policy holds back. */
  ask(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function peopleOf(hub: TestHub): Promise<People> {
  const admin = new pg.Pool({ ...hub.admin, max: 1 });
  const ask = async (sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await admin.query(sql, [...values])).rows;
  return {
    ask,
    async add(name, scopes = ["push", "read"]) {
      const account = randomUUID();
      const token = newToken(account);
      const who = toCredentials(token);
      await ask("INSERT INTO hub.accounts (account_id, name) VALUES ($1, $2)", [account, name]);
      await ask("INSERT INTO hub.tokens (account_id, token_id, hash, scopes) VALUES ($1, $2, $3, $4)", [
        ...[account, randomUUID(), storedHash(who), scopes],
      ]);
      return { ...who, name, token };
    },
    async team(name, ...members) {
      const team = randomUUID();
      await ask("INSERT INTO hub.teams (account_id, team_id, name) VALUES ($1, $2, $3)", [
        ...[members[0]?.account, team, name],
      ]);
      for (const { account } of members)
        await ask("INSERT INTO hub.members (account_id, team_id) VALUES ($1, $2)", [account, team]);
      return team;
    },
    close: () => admin.end(),
  };
}
