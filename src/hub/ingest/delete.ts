/** Removes a session for good: what was sent and what was made of it. That it happened stays in the audit. */
import type { HubDatabase, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { requireScope, unknownSession } from "./access.ts";
import { noteDeleted } from "./deleted-rows.ts";
import { lockSession } from "./locks.ts";

export interface Deleted {
  readonly rawFiles: number;
  readonly rawEvents: number;
  /** Derived rows, that of the session included. */
  readonly rows: number;
}

/** Of one's own sessions alone. `isForGood`: the machine that has it is told not to send it again. */
export async function deleteSession(
  db: HubDatabase,
  who: Credentials,
  session: string,
  { isForGood = false } = {},
): Promise<Deleted> {
  // Before, and not in the same transaction: on Citus, the rows of two roles do not mix in one. As long as the session is
  // there, the note says nothing.
  if (isForGood) await db.as(who, async (tx) => noteDeleted(tx, await lockOwn(tx, session), session));
  return db.as(who, async (tx) => {
    await lockOwn(tx, session);
    // Derived rows are the worker's, so a function of the owner removes them, for the account alone that is proven.
    const [row] = await tx.query("SELECT * FROM hub.delete_session($1)", [session]);
    return {
      rawFiles: Number(row?.raw_files),
      rawEvents: Number(row?.raw_events),
      rows: Number(row?.derived),
    };
  });
}

async function lockOwn(tx: Transaction, session: string): Promise<string> {
  const account = await requireScope(tx, "push");
  await lockSession(tx, account, session);
  const found = await tx.query("SELECT 1 FROM hub.sessions WHERE account_id = $1 AND id = $2", [
    account,
    session,
  ]);
  if (found.length === 0) throw unknownSession(session);
  return account;
}
