/** Finds the search rows of a session once, because the search index cannot be queried by session. */
import type { Database } from "../../platform/sqlite/sqlite.ts";

/** The rows of one session, in terms of SQL. */
export const ownedBy = ({ name, owner }: { readonly name: string; readonly owner: string }): string =>
  name === "search_index"
    ? "rowid IN (SELECT place FROM temp.search_places WHERE session_id = ?)"
    : `${owner} = ?`;

export interface SearchPlaces {
  /** Read again after another process has written. */
  refresh(): void;
  /** Call this after writing search rows whose ids are not known. */
  forget(): void;
}

/**
 * The search rows of each session. The program's own reindex scans the whole index for each session, which is why it
 * takes minutes; here it is scanned once, and again after another process has written.
 */
export function createSearchPlaces(db: Database): SearchPlaces {
  db.exec(
    "CREATE TEMP TABLE search_places (session_id TEXT, place INTEGER, PRIMARY KEY (session_id, place)) WITHOUT ROWID",
  );
  const fill = db.prepare(
    "INSERT INTO temp.search_places SELECT session_id, rowid FROM search_index WHERE session_id IS NOT NULL",
  );
  const dataVersion = db.prepare("PRAGMA data_version");
  let seen: unknown;
  const refresh = (): void => {
    const version = dataVersion.get()?.data_version;
    if (version === seen) return;
    db.exec("DELETE FROM temp.search_places");
    fill.run();
    seen = version;
  };
  refresh();
  return {
    refresh,
    forget() {
      seen = undefined;
    },
  };
}
