/** Stores which repository each folder is a clone of, for the sessions that do not record theirs. */
import { placeKey } from "../model/values/same-place.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface FolderRow {
  readonly folder: string;
  readonly repository: string | null;
  /** The file that says it, or whose appearance would change it. */
  readonly told: string;
  /** Of that file; null while it is not there. */
  readonly mtimeMs: number | null;
  readonly size: number | null;
}

/** The folder itself is not there, so nothing can be said of it now. */
export const isGone = ({ folder, told, mtimeMs }: FolderRow): boolean => told === folder && mtimeMs === null;

export interface FolderRows {
  all(): FolderRow[];
  /** Folders of sessions that do not record their repository, of which nothing is known yet. */
  unknown(): string[];
  set(row: FolderRow): void;
  /** Forgets folders that no session needs any more. */
  tidy(): void;
  /** Sessions whose repository is not what is known of their folders, with what it should be. */
  outdated(): { readonly session: string; readonly repository: string | null }[];
}

/** The repository of the sessions in a folder that do not record theirs. */
export const repositoryOfFolder = (db: Database, folder: string): string | undefined => {
  const row = db
    .prepare(
      "SELECT coalesce(max(iif(repository_evidence = 'folder', repository, NULL)), max(repository)) AS repository FROM sessions WHERE cwd = ?",
    )
    .get(folder);
  return row?.repository === null || row === undefined ? undefined : String(row.repository);
};

/** Sessions that say nothing themselves. */
const SILENT = "cwd IS NOT NULL AND repository_evidence IS NOT 'session'";

export function createFolderRows(db: Database): FolderRows {
  db.function("place_key", { deterministic: true }, (folder) => placeKey(String(folder)));
  return {
    all: () =>
      db
        .prepare("SELECT folder, repository, told, mtime_ms AS mtimeMs, size FROM folders")
        .all() as unknown as FolderRow[],
    unknown: () =>
      db
        .prepare(
          `SELECT DISTINCT cwd FROM sessions WHERE ${SILENT} AND cwd NOT IN (SELECT folder FROM folders)`,
        )
        .all()
        .map((row) => String(row.cwd)),
    set({ folder, repository, told, mtimeMs, size }) {
      db.prepare("INSERT OR REPLACE INTO folders VALUES (?, ?, ?, ?, ?)").run(
        folder,
        repository,
        told,
        mtimeMs,
        size,
      );
    },
    tidy: () => db.exec(`DELETE FROM folders WHERE folder NOT IN (SELECT cwd FROM sessions WHERE ${SILENT})`),
    // Where a folder says nothing, as one that is gone, other sessions of the same folder may have recorded it, by whatever name.
    outdated: () =>
      db
        .prepare(
          `WITH recorded AS MATERIALIZED (
             SELECT place_key(cwd) AS place, max(repository) AS repository
               FROM sessions WHERE repository_evidence = 'session' AND cwd IS NOT NULL GROUP BY place)
           SELECT s.id AS session, coalesce(f.repository, r.repository) AS repository
             FROM sessions s JOIN folders f ON f.folder = s.cwd LEFT JOIN recorded r ON r.place = place_key(s.cwd)
            WHERE s.repository_evidence IS NOT 'session'
              AND s.repository IS NOT coalesce(f.repository, r.repository)`,
        )
        .all() as unknown as { session: string; repository: string | null }[],
  };
}
