/**
 * What depends on other sessions of the account: which turns are copies, what a session was forked from, and the counts
 * per day, which are apart for copied turns. The statements are those of the local store, within one account.
 */
import type { Transaction } from "../database/connect.ts";
import { insertDays } from "../database/migrations/0007/day-counts.ts";
import { prepared } from "../database/prepared.ts";

/** The earliest first, as in the local store. */
const earliest = (
  s: string,
): string => `(${s}.created_at IS NULL), ${s}.created_at, (${s}.parent_evidence IS NOT DISTINCT FROM 'session'),
  (${s}.born_ms IS NULL), ${s}.born_ms, ${s}.updated_at, ${s}.id`;
const EARLIEST = earliest("s");

const SHARERS = prepared(
  `SELECT DISTINCT o.session_id AS id FROM hub.turns o
    WHERE o.account_id = $1 AND o.session_id <> $2 AND o.work IS NOT NULL AND o.work = ANY (ARRAY(
      SELECT t.work FROM hub.turns t WHERE t.account_id = $1 AND t.session_id = $2 AND t.work IS NOT NULL))`,
);

/** Sessions that have turns of this one; to be asked before its rows go, and after the new ones are there. */
export async function sharers(tx: Transaction, account: string, session: string): Promise<string[]> {
  const rows = await tx.query(SHARERS, [account, session]);
  return rows.map((row) => String(row.id));
}

const LOCK = prepared("SELECT pg_advisory_xact_lock(hashtextextended($1, 3))");

/** One settles at a time in each account: two sessions that share turns may be derived at once. */
export async function lockSettling(tx: Transaction, account: string): Promise<void> {
  await tx.query(LOCK, [account]);
}

const FORGET_COPIES = prepared("DELETE FROM hub.turn_copies WHERE account_id = $1 AND session_id = ANY ($2)");
const FORGET_DAYS = prepared("DELETE FROM hub.daily_stats WHERE account_id = $1 AND session_id = ANY ($2)");
const COPIES = prepared(
  `INSERT INTO hub.turn_copies (account_id, session_id, turn_index, owner, team_id)
   WITH mine AS MATERIALIZED (
     SELECT DISTINCT work FROM hub.turns WHERE account_id = $1 AND session_id = ANY ($2) AND work IS NOT NULL),
   ranked AS (
     SELECT t.session_id, t.turn_index, t.team_id,
            first_value(t.session_id) OVER (PARTITION BY t.work ORDER BY ${EARLIEST}) AS owner
       FROM hub.turns t JOIN hub.sessions s ON s.account_id = $1 AND s.id = t.session_id
      WHERE t.account_id = $1 AND t.work IN (SELECT work FROM mine))
   SELECT $1, r.session_id, r.turn_index, r.owner, r.team_id FROM ranked r
    WHERE r.owner <> r.session_id AND r.session_id = ANY ($2) ON CONFLICT DO NOTHING`,
);
const PARENTS = prepared(
  `WITH found AS MATERIALIZED (
     SELECT s.id, p.vendor_id AS parent FROM hub.sessions s
       LEFT JOIN LATERAL (SELECT c.owner, c.turn_index FROM hub.turn_copies c
                           WHERE c.account_id = $1 AND c.session_id = s.id
                           ORDER BY c.turn_index DESC LIMIT 1) c ON true
       LEFT JOIN hub.sessions o ON o.account_id = $1 AND o.id = c.owner
       LEFT JOIN hub.sessions p ON p.account_id = $1 AND p.vendor_id <> s.vendor_id
        AND p.id = CASE WHEN o.source = s.source THEN o.id ELSE (
          SELECT k.id FROM hub.turns t
            JOIN hub.turns u ON u.account_id = $1 AND u.work = t.work
            JOIN hub.sessions k ON k.account_id = $1 AND k.id = u.session_id
           WHERE t.account_id = $1 AND t.session_id = s.id AND t.turn_index = c.turn_index AND k.source = s.source
           ORDER BY ${earliest("k")} LIMIT 1) END
      WHERE s.account_id = $1 AND s.id = ANY ($2) AND s.parent_evidence IS DISTINCT FROM 'session'
        AND s.from_id IS NULL)
   UPDATE hub.sessions s SET parent_id = f.parent, parent_title = NULL,
      parent_kind = CASE WHEN f.parent IS NOT NULL THEN 'fork' END,
      parent_evidence = CASE WHEN f.parent IS NOT NULL THEN 'turns' END
     FROM found f WHERE s.account_id = $1 AND s.id = f.id AND s.parent_id IS DISTINCT FROM f.parent`,
);

/** What these sessions have in common with others, all of it anew. */
export async function settle(tx: Transaction, account: string, sessions: readonly string[]): Promise<void> {
  await Promise.all([
    tx.change(FORGET_COPIES, [account, sessions]),
    tx.change(COPIES, [account, sessions]),
    tx.change(PARENTS, [account, sessions]),
    tx.change(FORGET_DAYS, [account, sessions]),
    countDays(tx, account, sessions),
  ]);
}

const DAYS = prepared(
  `${insertDays("hub.daily_stats", {
    table: (name) => `hub.${name}`,
    only: (alias, session) => `${alias}.account_id = $1 AND ${alias}.${session} = ANY ($2)`,
  })} ON CONFLICT DO NOTHING`,
);

/** The counts of sessions that have none. */
export async function countDays(
  tx: Transaction,
  account: string,
  sessions: readonly string[],
): Promise<void> {
  await tx.change(DAYS, [account, sessions]);
}
