/** Tokens of accounts as the owner of the tables makes and ends them. Only their hashes are kept. */
import { randomUUID } from "node:crypto";
import type { Transaction } from "../database/connect.ts";
import { newToken, storedHash, toCredentials } from "../database/credentials.ts";
import type { Scope } from "./names.ts";

export interface TokenWish {
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
  /** `program` is one that a person was given, `serve` one of a running server, `web` that of a browser. */
  readonly kind?: "program" | "serve" | "web";
  readonly label?: string;
}

export async function giveToken(
  tx: Transaction,
  account: string,
  { scopes, expiresAt, kind = "program", label = "" }: TokenWish,
): Promise<{ readonly token: string; readonly id: string }> {
  const token = newToken(account);
  const id = randomUUID();
  await tx.change(
    "INSERT INTO hub.tokens (account_id, token_id, hash, scopes, label, expires_at, kind) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    [account, id, storedHash(toCredentials(token)), scopes, label, expiresAt ?? null, kind],
  );
  return { token, id };
}

/** All of an account, or one of them; how many that were. */
export const revokeTokens = (tx: Transaction, account: string, id?: string): Promise<number> =>
  tx.change(
    `UPDATE hub.tokens SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL
       AND ($2::uuid IS NULL OR token_id = $2)`,
    [account, id ?? null],
  );

/** Those of browsers and servers that have ended, except the last of an account: by its scopes, an admin is known. */
export const clearEndedTokens = (tx: Transaction): Promise<number> =>
  tx.change(
    `DELETE FROM hub.tokens t WHERE t.kind <> 'program'
        AND (t.revoked_at < now() - interval '1 day' OR t.expires_at < now() - interval '1 day')
        AND EXISTS (SELECT 1 FROM hub.tokens o WHERE o.account_id = t.account_id AND o.created_at > t.created_at
                       AND o.scopes @> t.scopes)`,
  );
