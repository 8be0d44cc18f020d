/** Notes of sessions that were deleted for good, by a hash of their id. */
import { createHash } from "node:crypto";
import type { Transaction } from "../database/connect.ts";

const hashOf = (session: string): Buffer => createHash("sha256").update(session).digest();

export async function noteDeleted(tx: Transaction, account: string, session: string): Promise<void> {
  await tx.change(
    "INSERT INTO hub.deleted_sessions (account_id, session_hash) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [account, hashOf(session)],
  );
}

export async function deletedAmong(
  tx: Transaction,
  account: string,
  sessions: readonly string[],
): Promise<ReadonlySet<string>> {
  const byHash = new Map(sessions.map((session) => [hashOf(session).toString("hex"), session]));
  const rows = await tx.query(
    `SELECT encode(session_hash, 'hex') AS hash FROM hub.deleted_sessions
      WHERE account_id = $1 AND encode(session_hash, 'hex') = ANY ($2)`,
    [account, [...byHash.keys()]],
  );
  return new Set(rows.map(({ hash }) => byHash.get(String(hash)) ?? ""));
}
