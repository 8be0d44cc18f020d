/** The rows of a range of time as a store in memory, so that reports are made on the hub by the code that makes them at home. */

import type { Database } from "../../platform/sqlite/sqlite.ts";
import { openMemoryStore } from "../../store/open.ts";
import type { ColumnValue, HubDatabase, Rows, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { requireScope } from "../ingest/access.ts";
import { byBytes, compileHubFilter, type HubFilter, type SessionRef } from "./filter.ts";
import { type HubSession, sessionColumns, toHubSession } from "./session-rows.ts";

export interface ReportRows {
  readonly db: Database;
  /** By the ids that they have in the store, which are no vendor's: two people may have the same session. */
  readonly sessions: ReadonlyMap<string, HubSession>;
  /** Only the latest were read. */
  readonly isCut: boolean;
}

export interface ReportRange {
  /** ISO 8601. */
  readonly since: string;
  readonly until: string;
}

const MOST_SESSIONS = 2000;
/** Of an answer, what reports look at: how it begins and how it ends. */
const PART = 2000;

interface Copied {
  readonly table: string;
  readonly columns: string;
  readonly order: string;
}

const TABLES: readonly Copied[] = [
  {
    table: "turns",
    columns: `turn_index, left(user_message, 600) AS user_message, CASE WHEN length(assistant_response) <= ${2 * PART}
      THEN assistant_response ELSE left(assistant_response, ${PART}) || right(assistant_response, ${PART}) END AS assistant_response,
      timestamp, ended_at`,
    order: "turn_index",
  },
  {
    table: "session_files",
    columns: "file_path, tool_name, turn_index, first_seen_at, action, evidence",
    order: "turn_index",
  },
  {
    table: "session_refs",
    columns: "ref_type, ref_value, turn_index, created_at, evidence",
    order: "turn_index",
  },
  { table: "tool_calls", columns: "turn_index, tool_name, status, label", order: "call_number" },
];

/** The caller closes the store. */
export const readReportRows = (
  hub: HubDatabase,
  who: Credentials,
  filter: Omit<HubFilter, "since" | "until">,
  range: ReportRange,
  now: () => Date,
): Promise<ReportRows> =>
  hub.as(who, async (tx) => {
    await requireScope(tx, "read");
    const found = await findSessions(tx, filter, range);
    const sessions = found.slice(0, MOST_SESSIONS).map(toHubSession);
    const refs = sessions.map(({ account, hubSession: id }) => ({ account, id }));
    const db = openMemoryStore(now);
    try {
      for (const session of sessions) insertSession(db, session);
      for (const copied of TABLES) await copyRows(tx, db, copied, refs);
      await copyCopies(tx, db, refs);
    } catch (error) {
      db.close();
      throw error;
    }
    return {
      db,
      sessions: new Map(sessions.map((session) => [keyOf(session.account, session.hubSession), session])),
      isCut: found.length > MOST_SESSIONS,
    };
  });

const keyOf = (account: string, id: string): string => `${id} ${account}`;

async function findSessions(
  tx: Transaction,
  filter: HubFilter,
  { since, until }: ReportRange,
): Promise<Rows> {
  const { where, values } = await compileHubFilter(tx, filter, 3);
  // The accounts are the first value of the filter.
  const here = (row: string): string => (filter.accounts ? `${row}.account_id = ANY ($3::uuid[])` : "true");
  return tx.query(
    `SELECT ${sessionColumns(here)} FROM hub.sessions s WHERE ${where} AND (
        EXISTS (SELECT 1 FROM hub.turns t WHERE t.account_id = s.account_id AND t.session_id = s.id AND ${here("t")}
                   AND ${byBytes("t.timestamp")} BETWEEN $1 AND $2)
        OR ${byBytes("coalesce(s.updated_at, s.created_at)")} BETWEEN $1 AND $2)
      ORDER BY ${byBytes("s.updated_at")} DESC NULLS LAST, s.id LIMIT ${MOST_SESSIONS + 1}`,
    [since, until, ...values],
  );
}

const COLUMNS =
  "id, source, vendor_id, title, cwd, repository, branch, created_at, updated_at, path, turn_count, problem_count, bytes, models";

function insertSession(db: Database, session: HubSession): void {
  const key = keyOf(session.account, session.hubSession);
  const { source, title, workspace, repository, branch, createdAt, updatedAt } = session;
  db.prepare(`INSERT INTO sessions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, '[]')`).run(
    ...[key, source, key, title, workspace ?? null, repository ?? null, branch ?? null],
    ...[createdAt ?? null, updatedAt ?? null, key, session.turns],
  );
}

const named = (refs: readonly SessionRef[]): unknown[] => [
  refs.map(({ account }) => account),
  refs.map(({ id }) => id),
];

async function copyRows(
  tx: Transaction,
  db: Database,
  { table, columns, order }: Copied,
  refs: readonly SessionRef[],
): Promise<void> {
  const rows = await tx.query(
    `SELECT r.account_id, r.session_id, ${columns} FROM unnest($1::uuid[], $2::text[]) u(a, i)
       JOIN hub.${table} r ON r.account_id = u.a AND r.session_id = u.i
      WHERE r.account_id = ANY ($1) ORDER BY r.account_id, r.session_id, ${order}`,
    named(refs),
  );
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first).filter((name) => name !== "account_id" && name !== "session_id");
  const insert = db.prepare(
    `INSERT INTO ${table} (session_id, ${names.join(", ")}) VALUES (?${", ?".repeat(names.length)})`,
  );
  for (const { account_id, session_id, ...row } of rows)
    insert.run(keyOf(String(account_id), String(session_id)), ...Object.values(row).map(toStored));
}

/** Columns of these tables hold texts and small numbers. */
const toStored = (value: ColumnValue): string | number | null =>
  typeof value === "string" || typeof value === "number" ? value : null;

/** Only of turns whose own session one sees: the others are told of where they are seen. */
async function copyCopies(tx: Transaction, db: Database, refs: readonly SessionRef[]): Promise<void> {
  const rows = await tx.query(
    `SELECT c.account_id, c.session_id, c.turn_index, c.owner FROM unnest($1::uuid[], $2::text[]) u(a, i)
       JOIN hub.turn_copies c ON c.account_id = u.a AND c.session_id = u.i
       JOIN hub.sessions o ON o.account_id = c.account_id AND o.id = c.owner
      WHERE c.account_id = ANY ($1) AND o.account_id = ANY ($1)`,
    named(refs),
  );
  const insert = db.prepare("INSERT INTO turn_copies (session_id, turn_index, owner) VALUES (?, ?, ?)");
  for (const { account_id, session_id, turn_index, owner } of rows)
    insert.run(
      keyOf(String(account_id), String(session_id)),
      Number(turn_index),
      keyOf(String(account_id), String(owner)),
    );
}
