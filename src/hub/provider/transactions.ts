/**
 * Changes of several files that are one: in a single transaction of the database, under a lease on every session
 * concerned, with a row that says whether it is done. That row settles what became of a change whose answer was lost.
 */
import { AppError } from "../../model/errors.ts";
import type { FsTransactions } from "../../platform/fs/session-fs.ts";
import type { HubDatabase } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { refuseHeld, takeToken } from "./lease.ts";
import { errno, folderOf, placeOf } from "./places.ts";
import { createProviderFs } from "./session-fs.ts";

/** It ends with the transaction, which is sooner. */
const TTL_MS = 60_000;

export function createTransactions(db: HubDatabase, who: Credentials, now?: () => number): FsTransactions {
  return {
    holds: (path) => "session" in placeOf(path),
    check: (paths) => db.as(who, (tx) => refuseHeld(tx, who, [...sessionsIn(paths)])),
    run: (name, paths, work) =>
      db.as(who, async (tx) => {
        const begun = await tx.change(
          "INSERT INTO hub.provider_writes (account_id, write_id, is_done) VALUES ($1, $2, true) ON CONFLICT DO NOTHING",
          [who.account, name],
        );
        if (begun === 0)
          throw new AppError(
            "write-failed",
            `The write ${name} was given up before, or is done already`,
            "Run the command again",
          );
        const sessions = sessionsIn(paths);
        // In one order for all, so that two never wait for each other.
        for (const session of [...sessions].sort())
          await takeToken(tx, who, session, { holder: "rethread", ttlMs: TTL_MS, steal: false });
        const answer = await work(
          createProviderFs(
            {
              account: who.account,
              read: (each) => each(tx),
              write: async (session, each) => {
                if (!sessions.has(session)) throw errno("EROFS", folderOf(session));
                return each(tx);
              },
            },
            now,
          ),
        );
        for (const session of sessions)
          await tx.change(
            "UPDATE hub.provider_leases SET expires_at = '-infinity', holder = '' WHERE account_id = $1 AND session_id = $2",
            [who.account, session],
          );
        return answer;
      }),
    settle: (name) =>
      db.as(who, async (tx) => {
        // Waits for the one under way, if there is one; where there is none, there never will be.
        await tx.change(
          "INSERT INTO hub.provider_writes (account_id, write_id, is_done) VALUES ($1, $2, false) ON CONFLICT DO NOTHING",
          [who.account, name],
        );
        const [row] = await tx.query(
          "SELECT is_done FROM hub.provider_writes WHERE account_id = $1 AND write_id = $2",
          [who.account, name],
        );
        return row?.is_done === true;
      }),
  };
}

function sessionsIn(paths: readonly string[]): Set<string> {
  const sessions = new Set<string>();
  for (const path of paths) {
    const place = placeOf(path);
    if ("session" in place) sessions.add(place.session);
  }
  return sessions;
}
