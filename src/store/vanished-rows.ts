/** Marks the rows of sessions whose files are gone. */
import type { Artifact } from "../model/session/session.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface VanishedRows {
  /** Notes that the session's files are gone since then, or that they are there. */
  set(id: string, since: string | undefined): void;
  /** The rows of this session, if it was lost in another place. */
  find(artifact: Pick<Artifact, "source" | "id">): string | undefined;
}

export function createVanishedRows(db: Database): VanishedRows {
  const mark = db.prepare("UPDATE sessions SET vanished_at = ? WHERE id = ?");
  const one = db.prepare("SELECT id, source, vendor_id FROM sessions WHERE id = ?");
  const all = db.prepare("SELECT id, source, vendor_id FROM sessions WHERE vanished_at IS NOT NULL");
  const keyOf = (source: unknown, id: unknown): string => `${source}:${id}`;
  // Held, because a store that is built anew has no index to ask for each session.
  let known: Map<string, string> | undefined;
  const load = (): Map<string, string> => {
    known ??= new Map(all.all().map((row) => [keyOf(row.source, row.vendor_id), String(row.id)]));
    return known;
  };
  return {
    set(id, since) {
      const row = one.get(id);
      if (!row) return;
      const key = keyOf(row.source, row.vendor_id);
      if (since === undefined) load().delete(key);
      else load().set(key, id);
      mark.run(since ?? null, id);
    },
    find: (artifact) => load().get(keyOf(artifact.source, artifact.id)),
  };
}

export interface VanishedSession {
  /** Of its rows. */
  readonly key: string;
  readonly source: string;
  readonly id: string;
  readonly title: string;
  readonly vanishedAt: string;
}

export const findVanished = (db: Database): VanishedSession[] =>
  db
    .prepare(
      "SELECT id AS key, source, vendor_id AS id, title, vanished_at AS vanishedAt FROM sessions WHERE vanished_at IS NOT NULL",
    )
    .all() as unknown as VanishedSession[];
