/** What the hub has of an account's own sessions, for its machines to compare with. */
import type { HubDatabase, Rows } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import {
  type FileState,
  hubSessionId,
  type OwnSession,
  type SessionFacts,
  type SessionState,
  type SessionStates,
} from "../protocol.ts";
import { requireAccount } from "./access.ts";
import { deletedAmong } from "./deleted-rows.ts";
import { toFileState } from "./placing.ts";
import { toStoredFile } from "./raw-rows.ts";

const FILES = `SELECT f.session_id, f.path, f.generation, f.size, encode(f.sha256, 'hex') AS sha256, f.events,
    f.next_generation, f.next_size, encode(f.next_sha256, 'hex') AS next_sha256, f.next_events,
    f.removed_at IS NOT NULL AS is_removed
  FROM hub.raw_files f WHERE f.account_id = $1`;

/** Of those that this machine has pushed; the others are left out, or were deleted. */
export async function sessionStates(
  db: HubDatabase,
  who: Credentials,
  machine: string,
  sessions: readonly { readonly source: string; readonly id: string }[],
): Promise<SessionStates> {
  const ids = sessions.map(({ source, id }) => hubSessionId(source, id, machine));
  return db.as(who, async (tx) => {
    const account = await requireAccount(tx);
    const rows = await tx.query(
      "SELECT id, source, vendor_id, is_sealed FROM hub.sessions WHERE account_id = $1 AND machine_id::text = $2 AND id = ANY ($3) ORDER BY id",
      [account, machine, ids],
    );
    const files = byPath(
      await tx.query(`${FILES} AND f.session_id = ANY ($2) ORDER BY f.session_id, f.path`, [account, ids]),
    );
    const states = rows.map((row) => toState(row, files));
    const there = new Set(states.map(({ session }) => session));
    const missing = ids.filter((id) => !there.has(id));
    const gone = missing.length === 0 ? undefined : await deletedAmong(tx, account, missing);
    const deleted = sessions.flatMap(({ source, id }) => {
      const deletion = gone?.get(hubSessionId(source, id, machine));
      return deletion === undefined ? [] : [{ source, id, deletion }];
    });
    return { sessions: states, deleted };
  });
}

/** Of all machines, the latest first. */
export async function ownSessions(db: HubDatabase, who: Credentials): Promise<OwnSession[]> {
  return db.as(who, async (tx) => {
    const account = await requireAccount(tx);
    const rows = await tx.query(
      `SELECT s.id, s.source, s.vendor_id, s.is_sealed, s.machine_id, m.name AS machine, s.about, s.updated_at, s.turn_count
         FROM hub.sessions s LEFT JOIN hub.machines m ON m.account_id = s.account_id AND m.machine_id = s.machine_id
        WHERE s.account_id = $1 ORDER BY s.updated_at DESC NULLS LAST, s.id`,
      [account],
    );
    const files = byPath(await tx.query(`${FILES} ORDER BY f.session_id, f.path`, [account]));
    return rows.map((row) => ({
      ...toState(row, files),
      machine: { id: String(row.machine_id), name: String(row.machine ?? "") },
      facts: row.about as SessionFacts,
      ...(typeof row.updated_at === "string" && { updatedAt: row.updated_at }),
      turns: Number(row.turn_count),
    }));
  });
}

function byPath(rows: Rows): Map<string, FileState[]> {
  const files = new Map<string, FileState[]>();
  for (const row of rows) {
    const session = String(row.session_id);
    const own = files.get(session) ?? [];
    own.push(toFileState(String(row.path), toStoredFile(row)));
    files.set(session, own);
  }
  return files;
}

const toState = (row: Rows[number], files: ReadonlyMap<string, FileState[]>): SessionState => ({
  source: String(row.source),
  id: String(row.vendor_id),
  session: String(row.id),
  isSealed: row.is_sealed === true,
  files: files.get(String(row.id)) ?? [],
});
