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

/** As SQL; `d` is a row of `deleted_sessions`. */
export const DELETION = "(extract(epoch FROM d.deleted_at) * 1000000)::bigint::text";

/** With the name of each deletion. */
export async function deletedAmong(
  tx: Transaction,
  account: string,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const byHash = new Map(sessions.map((session) => [hashOf(session).toString("hex"), session]));
  const rows = await tx.query(
    `SELECT encode(d.session_hash, 'hex') AS hash, ${DELETION} AS deletion FROM hub.deleted_sessions d
      WHERE d.account_id = $1 AND encode(d.session_hash, 'hex') = ANY ($2)`,
    [account, [...byHash.keys()]],
  );
  return new Map(rows.map(({ hash, deletion }) => [byHash.get(String(hash)) ?? "", String(deletion)]));
}
