/** Finds the search rows of a session once, because the search index cannot be queried by session. */
import type { Database } from "../../platform/sqlite/sqlite.ts";

/** The rows of one session, in terms of SQL. */
export const ownedBy = ({ name, owner }: { readonly name: string; readonly owner: string }): string =>
  name === "search_index"
    ? "rowid IN (SELECT place FROM temp.search_places WHERE session_id = ?)"
    : `${owner} = ?`;

export interface SearchPlaces {
  /** Once more, when somebody else wrote. */
  refresh(): void;
  /** For whoever wrote search rows without knowing where they came to stand. */
  forget(): void;
}

/**
 * Where the search rows of each session stand. The program's own reindex looks through the whole index for each one it
 * replaces, which is why it takes minutes; here it is looked through once, and again when somebody else wrote.
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
