/** Makes the rows of one session from its raw files. Can be run again at any time, and gives the same rows. */
import { AppError } from "../../model/errors.ts";
import type { HubDatabase, Transaction } from "../database/connect.ts";
import { prepared } from "../database/prepared.ts";
import { lockSession } from "../ingest/locks.ts";
import type { SessionFacts } from "../protocol.ts";
import { type ExtractedRows, extractRows } from "./extract.ts";
import type { DeriveJob } from "./queue.ts";
import { openRawHome, type RawFile, readRaw } from "./raw-home.ts";
import { countDays, lockSettling, settle, sharers } from "./settle.ts";
import { insertRows, removeRows, updateSession } from "./write-rows.ts";

interface Read {
  readonly source: string;
  readonly id: string;
  readonly facts: SessionFacts;
  readonly version: number;
  readonly files: readonly RawFile[];
}

/** `gone`: deleted, or sealed, so there is nothing to do. `empty`: its files hold no session. */
export type Outcome = "derived" | "empty" | "gone";

export async function deriveSession(db: HubDatabase, job: DeriveJob): Promise<Outcome> {
  const read = await db.work(job.account, (tx) => readSession(tx, job));
  if (!read) return "gone";
  try {
    const fs = await openRawHome(read.source, read.files);
    const found = await extractRows(fs, read, read.facts);
    return await db.work(job.account, (tx) => writeSession(tx, job, read, found));
  } catch (error) {
    await db.work(job.account, (tx) => noteError(tx, job, error)).catch(() => undefined);
    throw error;
  }
}

const PUSHED = prepared(
  "SELECT source, vendor_id, about, raw_version FROM hub.sessions WHERE account_id = $1 AND id = $2 AND NOT is_sealed",
);
const DERIVED = prepared(
  "SELECT derived_version, team_id FROM hub.sessions WHERE account_id = $1 AND id = $2 AND NOT is_sealed FOR UPDATE",
);
const SHARED_WITH = prepared(
  `SELECT team_id FROM hub.shares WHERE account_id = $1 AND (session_id = $2 OR lower(repository) = lower($3))
    ORDER BY session_id IS NULL, shared_at, share_id LIMIT 1`,
);

/** A push that has asked for these rows may not be over: its lock is waited for. */
async function readSession(tx: Transaction, { account, session }: DeriveJob): Promise<Read | undefined> {
  const [, [row], files] = await Promise.all([
    lockSession(tx, account, session),
    tx.query(PUSHED, [account, session]),
    readRaw(tx, account, session),
  ]);
  if (!row) return undefined;
  return {
    source: String(row.source),
    id: String(row.vendor_id),
    facts: row.about as SessionFacts,
    version: Number(row.raw_version),
    files,
  };
}

async function writeSession(
  tx: Transaction,
  { account, session }: DeriveJob,
  { version, facts }: Read,
  found: ExtractedRows | undefined,
): Promise<Outcome> {
  const repository = found?.session.repository ?? facts.repository ?? null;
  const [, , [now], team, before] = await Promise.all([
    lockSession(tx, account, session),
    lockSettling(tx, account),
    tx.query(DERIVED, [account, session]),
    teamOf(tx, account, session, repository),
    sharers(tx, account, session),
  ]);
  if (!now) return "gone";
  const known = Number(now.derived_version);
  // Another job was faster, with what was pushed since.
  if (known > version) return "derived";
  const target = { account, session, team };
  const error = found ? null : "Its files hold no session that can be read";
  // They are done in the order in which they are begun here.
  const writing = [
    known > 0 && removeRows(tx, target),
    found && insertRows(tx, target, found),
    updateSession(tx, target, found?.session, { version, facts, error }),
  ];
  const [after] = await Promise.all([sharers(tx, account, session), ...writing]);
  const others = [...new Set([...before, ...after])];
  await Promise.all([
    found && others.length === 0
      ? countDays(tx, account, [session])
      : settle(tx, account, [session, ...others]),
    team !== now.team_id && moveRaw(tx, target),
  ]);
  return found ? "derived" : "empty";
}

/** A session that is shared itself, or whose repository is. */
async function teamOf(
  tx: Transaction,
  account: string,
  session: string,
  repository: unknown,
): Promise<string | null> {
  const [row] = await tx.query(SHARED_WITH, [account, session, repository]);
  return typeof row?.team_id === "string" ? row.team_id : null;
}

/** The files say which repository a session is about, so only now it may turn out to be shared, or not. */
async function moveRaw(
  tx: Transaction,
  { account, session, team }: { account: string; session: string; team: string | null },
): Promise<void> {
  await Promise.all(
    ["raw_files", "raw_events"].map((table) =>
      tx.change(
        `UPDATE hub.${table} SET team_id = $3 WHERE account_id = $1 AND session_id = $2 AND team_id IS DISTINCT FROM $3`,
        [account, session, team],
      ),
    ),
  );
}

async function noteError(tx: Transaction, { account, session }: DeriveJob, error: unknown): Promise<void> {
  const isOurs = error instanceof AppError;
  const text = isOurs ? error.message : `A defect: ${error instanceof Error ? error.message : String(error)}`;
  await tx.change("UPDATE hub.sessions SET derive_error = $3 WHERE account_id = $1 AND id = $2", [
    ...[account, session, text.replaceAll("\0", "").slice(0, 500)],
  ]);
}
