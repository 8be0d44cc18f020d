/** The raw files of one of the account's own sessions, as they were sent, for its other machines. */
import { AppError } from "../../model/errors.ts";
import type { HubDatabase } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import type { FileState } from "../protocol.ts";
import { requireAccount, unknownSession } from "./access.ts";
import { toFileState } from "./placing.ts";
import { toStoredFile } from "./raw-rows.ts";

export interface RawPart {
  readonly file: FileState & { readonly mode: number; readonly mtimeMs: number };
  /** As stored: compressed (zstd) or sealed. */
  readonly bodies: readonly { readonly start: number; readonly bytes: number; readonly body: Uint8Array }[];
}

/** What is held in memory at once. */
const LARGEST_PART = 8 << 20;

/** Complete files that were not removed. A large file comes in several parts, one behind the other. */
export async function* readRawFiles(
  db: HubDatabase,
  who: Credentials,
  session: string,
): AsyncGenerator<RawPart> {
  const files = await db.as(who, async (tx) => {
    const account = await requireAccount(tx);
    const found = await tx.query("SELECT 1 FROM hub.sessions WHERE account_id = $1 AND id = $2", [
      account,
      session,
    ]);
    if (found.length === 0) throw unknownSession(session);
    const rows = await tx.query(
      `SELECT path, generation, size, encode(sha256, 'hex') AS sha256, events, mode, mtime_ms, NULL AS next_generation,
              false AS is_removed
         FROM hub.raw_files WHERE account_id = $1 AND session_id = $2 AND removed_at IS NULL AND generation >= 0
        ORDER BY path`,
      [account, session],
    );
    return rows.map((row) => ({
      ...toFileState(String(row.path), toStoredFile(row)),
      mode: Number(row.mode),
      mtimeMs: Number(row.mtime_ms),
    }));
  });
  for (const file of files) {
    let at = 0;
    do {
      const bodies = await readPart(db, who, session, file, at);
      for (const { start, bytes } of bodies) {
        if (start !== at) throw changed(session);
        at += bytes;
      }
      if (bodies.length === 0 && at < file.size) throw changed(session);
      yield { file, bodies };
    } while (at < file.size);
  }
}

async function readPart(
  db: HubDatabase,
  who: Credentials,
  session: string,
  { path, generation, size }: FileState,
  from: number,
): Promise<RawPart["bodies"]> {
  const rows = await db.as(who, (tx) =>
    tx.query(
      `SELECT r.start, r.bytes, r.body FROM (
         SELECT start, bytes, body, sum(octet_length(body)) OVER (ORDER BY start) - octet_length(body) AS before
           FROM hub.raw_events
          WHERE account_id = $7 AND session_id = $1 AND path = $2 AND generation = $3 AND start >= $4 AND start < $5
          ORDER BY start LIMIT 64) r
        WHERE r.before < $6 ORDER BY r.start`,
      [session, path, generation, from, size, LARGEST_PART, who.account],
    ),
  );
  return rows.map((row) => ({
    start: Number(row.start),
    bytes: Number(row.bytes),
    body: row.body as Uint8Array,
  }));
}

const changed = (session: string): AppError =>
  new AppError("hub-conflict", `${session} was pushed again while it was being read`, "Try again");
