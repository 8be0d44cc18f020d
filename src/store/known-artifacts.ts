/** Where the files of a session were when it was indexed, so that one that is named by its key is found without a scan. */
import type { Listing } from "../model/session/session.ts";
import type { SessionKey } from "../model/values/id.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface KnownArtifact {
  readonly path: string;
  readonly listed?: Listing;
}

/** Those of the keys (`source:id`) that the store has rows of. */
export const findKnownKeys = (db: Database, keys: readonly string[]): ReadonlySet<string> =>
  new Set(
    db
      .prepare(
        "SELECT source || ':' || vendor_id AS key FROM sessions WHERE key IN (SELECT value FROM json_each(?))",
      )
      .all(JSON.stringify(keys))
      .map((row) => String(row.key)),
  );

/** All that the store knows under this key: one may lie under two roots. By the ways in which the keys of rows are made. */
export function findArtifacts(db: Database, { source, id }: SessionKey): KnownArtifact[] {
  const qualified = `${source}:${id}`;
  return db
    .prepare(
      `SELECT f.path, f.listed FROM sessions s JOIN fingerprints f ON f.session_id = s.id
        WHERE (s.id IN (?, ?) OR (s.id > ? AND s.id < ?))
          AND s.source = ? AND s.vendor_id = ? AND s.vanished_at IS NULL`,
    )
    .all(id, qualified, `${qualified}@`, `${qualified}A`, source, id)
    .map(({ path, listed }) => ({
      path: String(path),
      ...(listed !== null && { listed: JSON.parse(String(listed)) as Listing }),
    }));
}
