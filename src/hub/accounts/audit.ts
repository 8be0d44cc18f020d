/** Entries of the audit table that the owner writes: that something happened to an account, and never what a secret was. */
import { randomUUID } from "node:crypto";
import type { Transaction } from "../database/connect.ts";

export async function noteInAudit(
  tx: Transaction,
  account: string,
  action: string,
  subject: string,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await tx.change(
    "INSERT INTO hub.audit (account_id, entry_id, action, subject, detail) VALUES ($1, $2, $3, $4, $5)",
    [account, randomUUID(), action, subject, JSON.stringify(detail)],
  );
}
