/** Who waits for whom: pushes of one session take turns, and sharing waits for the pushes of its account. */
import type { Transaction } from "../database/connect.ts";
import { prepared } from "../database/prepared.ts";

/** The account comes first: what shares its sessions waits for no session that waits for it. */
const LOCK_SESSION = prepared(
  "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 1)), pg_advisory_xact_lock(hashtextextended($2, 2))",
);

/** Until the transaction ends. Others of the same account go on, except for what shares its sessions. */
export async function lockSession(tx: Transaction, account: string, session: string): Promise<void> {
  await tx.query(LOCK_SESSION, [account, `${account} ${session}`]);
}

/** Until the transaction ends, no session of the account is pushed or derived. */
export async function lockAccount(tx: Transaction, account: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 1))", [account]);
}
