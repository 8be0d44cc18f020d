/** The row of a pushed session: made with the first push, and told what the machine says until its rows are derived. */
import { AppError } from "../../model/errors.ts";
import type { Transaction } from "../database/connect.ts";
import { hubSessionId, type MachineName, type PushHeader } from "../protocol.ts";

export interface PushedSession {
  readonly session: string;
  readonly isCreated: boolean;
  readonly team: string | null;
}

/** Its `seen_at` is exact to the minute, so that the pushes of one machine do not wait for each other. */
export async function noteMachine(
  tx: Transaction,
  account: string,
  { id, name }: MachineName,
): Promise<void> {
  await tx.change(
    "INSERT INTO hub.machines (account_id, machine_id, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [account, id, name],
  );
  await tx.change(
    `UPDATE hub.machines SET name = $3, seen_at = now() WHERE account_id = $1 AND machine_id = $2
        AND (name <> $3 OR seen_at < now() - interval '1 minute')`,
    [account, id, name],
  );
}

/** The caller holds the lock of the session. */
export async function noteSession(
  tx: Transaction,
  account: string,
  { machine, source, id, isSealed, facts }: PushHeader,
): Promise<PushedSession> {
  const session = hubSessionId(source, id, machine.id);
  const added = await tx.change(
    `INSERT INTO hub.sessions (account_id, id, machine_id, source, vendor_id, is_sealed, team_id)
     VALUES ($1, $2, $3, $4, $5, $6, (${SHARED_WITH})) ON CONFLICT DO NOTHING`,
    [account, session, machine.id, source, id, isSealed, facts.repository ?? null],
  );
  const [row] = await tx.query(
    "SELECT machine_id, is_sealed, team_id FROM hub.sessions WHERE account_id = $1 AND id = $2",
    [account, session],
  );
  if (row?.machine_id !== machine.id)
    throw new AppError(
      "hub-conflict",
      "Another machine of this account has an id that begins alike",
      "Give this machine a new id with `rethread hub login`",
    );
  if (row.is_sealed !== isSealed)
    throw new AppError(
      "hub-conflict",
      isSealed
        ? "The hub has this session without encryption already"
        : "The hub has this session encrypted already",
      `Run \`rethread sync --delete ${source}:${id}\` first, and push it again`,
    );
  return { session, isCreated: added === 1, team: typeof row.team_id === "string" ? row.team_id : null };
}

/** The team that sees a session which is pushed for the first time; $1 the account, $2 the session, $7 its repository. */
const SHARED_WITH = `SELECT s.team_id FROM hub.shares s WHERE s.account_id = $1
    AND (s.session_id = $2 OR lower(s.repository) = lower($7))
  ORDER BY s.session_id IS NULL, s.shared_at, s.share_id LIMIT 1`;

/** What the machine says counts until rows are derived from the files, and where those say nothing. */
export async function noteFacts(
  tx: Transaction,
  account: string,
  session: string,
  { facts }: PushHeader,
): Promise<void> {
  await tx.change(
    `UPDATE hub.sessions SET raw_version = raw_version + 1, pushed_at = now(), about = $3, vanished_at = $4,
        title = CASE WHEN ${PROVISIONAL} THEN $5 ELSE title END, cwd = CASE WHEN ${PROVISIONAL} THEN $6 ELSE cwd END,
        repository = CASE WHEN ${PROVISIONAL} THEN $7 ELSE repository END,
        repository_evidence = CASE WHEN ${PROVISIONAL} THEN $8 ELSE repository_evidence END,
        branch = CASE WHEN ${PROVISIONAL} THEN $9 ELSE branch END,
        bytes = CASE WHEN ${PROVISIONAL} THEN (SELECT coalesce(sum(f.size), 0) FROM hub.raw_files f
          WHERE f.account_id = $1 AND f.session_id = $2 AND f.removed_at IS NULL) ELSE bytes END
      WHERE account_id = $1 AND id = $2`,
    [
      ...[account, session, JSON.stringify(facts), facts.vanishedAt ?? null, facts.title ?? ""],
      ...[facts.workspace ?? null, facts.repository ?? null, facts.repositoryEvidence ?? null],
      facts.branch ?? null,
    ],
  );
}

const PROVISIONAL = "derived_version = 0";
