/** The sessions that an account keeps in the hub's database: opened for reading, leased for writing. */
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { HubDatabase } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { requireAccount } from "../ingest/access.ts";
import type { Lease } from "./lease.ts";
import { errno, folderOf } from "./places.ts";
import { type Access, createProviderFs } from "./session-fs.ts";
import { createTransactions } from "./transactions.ts";

export interface SessionFsOptions {
  /** The session that may be written; without it, all are only read, or changed as a whole in `transactions`. */
  readonly lease?: Lease;
  readonly now?: () => number;
}

/** Policies hide what a token that has ended may not see, so that nothing seems to be there: that is said instead. */
export const readerOf =
  (db: HubDatabase, who: Credentials): Access["read"] =>
  (work) =>
    db.as(who, async (tx) => {
      const [answer] = await Promise.all([work(tx), requireAccount(tx)]);
      return answer;
    });

export function openSessionFs(
  db: HubDatabase,
  who: Credentials,
  { lease, now }: SessionFsOptions = {},
): SessionFs {
  const read = readerOf(db, who);
  const fs = createProviderFs(
    {
      account: who.account,
      read,
      write: async (session, work) => {
        if (lease?.session !== session) throw errno("EROFS", folderOf(session));
        return lease.write(work);
      },
    },
    now,
  );
  return { ...fs, transactions: createTransactions(db, who, now) };
}
