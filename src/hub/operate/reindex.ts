/** Has the rows of a hub made again from what was pushed: of all sessions, or of those of one user. */
import { noteInAudit } from "../accounts/audit.ts";
import { firstAdmin, knownUser } from "../accounts/find.ts";
import type { HubDatabase, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";

/** For a token with the scope admin. Gives back of how many sessions. */
export const askForReindex = (db: HubDatabase, who: Credentials, user?: string): Promise<number> =>
  db.as(who, async (tx) => {
    const account = await accountOf(tx, user);
    const [row] = await tx.query("SELECT hub.admin_reindex($1) AS queued", [account ?? null]);
    return Number(row?.queued);
  });

/** For the owner of the tables. */
export async function reindexAsOwner(tx: Transaction, user?: string): Promise<number> {
  const account = await accountOf(tx, user);
  const [row] = await tx.query("SELECT hub.reindex_rows($1) AS queued", [account ?? null]);
  const queued = Number(row?.queued);
  const about = account ?? (await firstAdmin(tx));
  if (about !== undefined) await noteInAudit(tx, about, "reindex", "", { queued });
  return queued;
}

const accountOf = async (tx: Transaction, user: string | undefined): Promise<string | undefined> =>
  user === undefined ? undefined : (await knownUser(tx, user)).account;
