/** The audit table for admins, in pages: who did what and when, the latest first. */
import { AppError } from "../../model/errors.ts";
import { decodeCursor, encodeCursor } from "../../model/values/cursor.ts";
import type { HubDatabase } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { requireScope } from "../ingest/access.ts";

export interface AuditEntry {
  readonly at: string;
  /** Who did it, and whose it was about, by name; nothing for what the operator did. */
  readonly actor?: string;
  readonly account?: string;
  readonly action: string;
  readonly subject: string;
  /** Of the session that it was about, where the admin may see that. */
  readonly title?: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly next?: string;
}

const KIND = "audit";
const PAGE = 100;
const MOST = 500;

interface Place {
  /** As the database writes it, with microseconds. */
  readonly at: string;
  readonly entry: string;
}

const isPlace = ({ at, entry }: Readonly<Record<string, unknown>>): boolean =>
  typeof at === "string" &&
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/.test(at) &&
  typeof entry === "string" &&
  /^[0-9a-f-]{36}$/.test(entry);

export async function readAudit(
  db: HubDatabase,
  who: Credentials,
  page: { readonly cursor?: string; readonly limit?: number } = {},
): Promise<AuditPage> {
  const { entries, next } = await readEntries(db, who, page);
  const titles = await readTitles(db, who, entries);
  return {
    entries: entries.map(({ owner, ...entry }) => {
      const title = titles.get(`${owner} ${entry.subject}`);
      return { ...entry, ...(title && { title }) };
    }),
    ...(next !== undefined && { next }),
  };
}

interface NotedEntry extends AuditEntry {
  /** The account that it was about. */
  readonly owner: string;
}

/**
 * Policies decide what an admin sees, as for anybody: that a private session was read is told, and not what it is called.
 * The log itself is on the server that is asked; without those that have the sessions it tells their ids.
 */
async function readTitles(
  db: HubDatabase,
  who: Credentials,
  entries: readonly NotedEntry[],
): Promise<ReadonlyMap<string, string>> {
  const about = entries.filter(({ subject }) => subject !== "");
  if (about.length === 0) return new Map();
  const found = db.as(who, (tx) =>
    tx.query(
      `SELECT s.account_id, s.id, s.title FROM hub.sessions s
        WHERE s.account_id = ANY ($1::uuid[]) AND s.id = ANY ($2)
          AND (s.account_id, s.id) IN (SELECT u.a, u.i FROM unnest($1::uuid[], $2::text[]) u(a, i))`,
      [about.map(({ owner }) => owner), about.map(({ subject }) => subject)],
    ),
  );
  const rows = await found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === "database-unavailable") return [];
    throw error;
  });
  return new Map(rows.map((row) => [`${row.account_id} ${row.id}`, String(row.title)]));
}

function readEntries(
  db: HubDatabase,
  who: Credentials,
  { cursor, limit: wanted = PAGE }: { readonly cursor?: string; readonly limit?: number },
): Promise<{ readonly entries: readonly NotedEntry[]; readonly next?: string }> {
  return db.as(who, async (tx) => {
    await requireScope(tx, "admin");
    const after = cursor === undefined ? undefined : decodeCursor<Place>(KIND, cursor, isPlace);
    const limit = Math.min(wanted, MOST);
    const rows = await tx.query(
      `SELECT (a.at AT TIME ZONE 'UTC')::text || '+00' AS place, a.at, a.entry_id, a.action, a.subject, a.detail, a.account_id AS owner,
              (SELECT p.name FROM hub.accounts p WHERE p.account_id = a.actor) AS actor,
              (SELECT p.name FROM hub.accounts p WHERE p.account_id = a.account_id) AS account
         FROM hub.audit a WHERE $1::timestamptz IS NULL OR (a.at, a.entry_id) < ($1, $2)
        ORDER BY a.at DESC, a.entry_id DESC LIMIT $3`,
      [after?.at ?? null, after?.entry ?? null, limit + 1],
    );
    const last = rows[limit - 1];
    return {
      entries: rows.slice(0, limit).map((row) => ({
        at: (row.at as Date).toISOString(),
        ...(typeof row.actor === "string" && { actor: row.actor }),
        ...(typeof row.account === "string" && { account: row.account }),
        action: String(row.action),
        owner: String(row.owner),
        subject: String(row.subject),
        detail: row.detail as unknown as Readonly<Record<string, unknown>>,
      })),
      ...(rows.length > limit &&
        last && { next: encodeCursor(KIND, { at: String(last.place), entry: String(last.entry_id) }) }),
    };
  });
}
