/** The row of a pushed session: made with the first push, and told what the machine says until its rows are derived. */
import { AppError } from "../../model/errors.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import type { Rows, Transaction } from "../database/connect.ts";
import { prepared } from "../database/prepared.ts";
import type { MachineName, PushHeader } from "../protocol.ts";
import { DELETION } from "./deleted-rows.ts";

export interface PushedSession {
  readonly isNew: boolean;
  /** The team that sees it. */
  readonly team: string | null;
}

/** The team that sees a session which is pushed for the first time; $1 the account, $2 the session, $3 its repository. */
const SHARED_WITH = `SELECT h.team_id FROM hub.shares h WHERE h.account_id = $1
    AND (h.session_id = $2 OR lower(h.repository) = lower($3))
  ORDER BY h.session_id IS NULL, h.shared_at, h.share_id LIMIT 1`;

const FIND = prepared(
  `SELECT s.id IS NULL AS is_new, s.machine_id, s.is_sealed,
      CASE WHEN s.id IS NULL THEN (${SHARED_WITH}) ELSE s.team_id END AS team_id,
      CASE WHEN s.id IS NULL THEN (SELECT ${DELETION} FROM hub.deleted_sessions d
        WHERE d.account_id = $1 AND d.session_hash = sha256(convert_to($2, 'UTF8'))) END AS deletion
     FROM (SELECT 1) one LEFT JOIN hub.sessions s ON s.account_id = $1 AND s.id = $2`,
);

/** The caller holds the lock of the session. */
export async function findSession(
  tx: Transaction,
  account: string,
  session: string,
  { machine, source, id, isSealed, afterDeletion, facts }: PushHeader,
): Promise<PushedSession> {
  const [row] = await tx.query(FIND, [account, session, facts.repository ?? null]);
  const isNew = row?.is_new === true;
  if (!isNew) refuseOther(row, machine, isSealed, `${source}:${id}`);
  // Sent before somebody deleted it, and late; or by somebody who does not know of that.
  else if (typeof row.deletion === "string" && row.deletion !== afterDeletion)
    throw new AppError(
      "hub-conflict",
      "This session was deleted from the hub",
      `Send it after all: ${shellLine`rethread sync forget --session ${`${source}:${id}`}`}, then rethread sync`,
    );
  return { isNew, team: typeof row?.team_id === "string" ? row.team_id : null };
}

function refuseOther(
  row: Rows[number] | undefined,
  machine: MachineName,
  isSealed: boolean,
  name: string,
): void {
  if (row?.machine_id !== machine.id)
    throw new AppError(
      "hub-conflict",
      "Another machine of this account has an id that begins alike",
      "Give this machine an id of its own: rethread hub login <url> --new-machine",
    );
  if (row.is_sealed !== isSealed)
    throw new AppError(
      "hub-conflict",
      isSealed
        ? "The hub has this session without encryption already"
        : "The hub has this session encrypted already",
      `Run \`rethread sync ${name}\` again`,
    );
}

/** One that was deleted for good comes only when its owner sends it again after all. */
const ADD = prepared(
  `WITH sent_again AS (
      DELETE FROM hub.deleted_sessions WHERE account_id = $1 AND session_hash = sha256(convert_to($2, 'UTF8')))
   INSERT INTO hub.sessions (account_id, id, machine_id, source, vendor_id, is_sealed, team_id, raw_version, about,
      vanished_at, title, cwd, repository, repository_evidence, branch, bytes)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11, $12, $13, $14, $15)`,
);

export async function addSession(
  tx: Transaction,
  account: string,
  session: string,
  { machine, source, id, isSealed, facts }: PushHeader,
  { team, bytes }: { readonly team: string | null; readonly bytes: number },
): Promise<void> {
  await tx.change(ADD, [
    ...[account, session, machine.id, source, id, isSealed, team, ...factColumns(facts), bytes],
  ]);
}

const factColumns = (facts: PushHeader["facts"]): unknown[] => [
  ...[JSON.stringify(facts), facts.vanishedAt ?? null, facts.title ?? "", facts.workspace ?? null],
  ...[facts.repository ?? null, facts.repositoryEvidence ?? null, facts.branch ?? null],
];

/** Who tells that the files are gone knows no more of them: what was told before stays. */
const PROVISIONAL = "derived_version = 0 AND $4::text IS NULL";
const NOTE = prepared(
  `UPDATE hub.sessions SET raw_version = raw_version + 1, pushed_at = now(), vanished_at = $4,
      about = CASE WHEN $4::text IS NULL THEN $3::jsonb ELSE about || $3::jsonb END,
      title = CASE WHEN ${PROVISIONAL} THEN $5 ELSE title END, cwd = CASE WHEN ${PROVISIONAL} THEN $6 ELSE cwd END,
      repository = CASE WHEN ${PROVISIONAL} THEN $7 ELSE repository END,
      repository_evidence = CASE WHEN ${PROVISIONAL} THEN $8 ELSE repository_evidence END,
      branch = CASE WHEN ${PROVISIONAL} THEN $9 ELSE branch END,
      bytes = CASE WHEN ${PROVISIONAL} THEN (SELECT coalesce(sum(f.size), 0) FROM hub.raw_files f
        WHERE f.account_id = $1 AND f.session_id = $2 AND f.removed_at IS NULL) ELSE bytes END
    WHERE account_id = $1 AND id = $2`,
);

/** What the machine says counts until rows are derived from the files, and where those say nothing. */
export async function noteFacts(
  tx: Transaction,
  account: string,
  session: string,
  { facts }: PushHeader,
): Promise<void> {
  await tx.change(NOTE, [account, session, ...factColumns(facts)]);
}
