/** Asks, within a push, that rows be made of a session: the job is there if and only if the push is. */
import type { Transaction } from "../database/connect.ts";
import { prepared } from "../database/prepared.ts";

const ASK = prepared("SELECT hub.ask_for_rows($1)");

/** `failed` where it could not be asked for; the sweep of the backfill finds the session nevertheless. */
export async function askForRows(tx: Transaction, session: string): Promise<"queued" | "failed"> {
  try {
    await Promise.all([
      tx.query("SAVEPOINT asking"),
      tx.query(ASK, [session]),
      tx.query("RELEASE SAVEPOINT asking"),
    ]);
    return "queued";
  } catch {
    // A connection that is lost fails here again, and with it the push.
    await tx.query("ROLLBACK TO SAVEPOINT asking");
    return "failed";
  }
}
