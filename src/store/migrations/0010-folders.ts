import { defineMigration } from "../migration.ts";

/** No session is read again when the remote of its folder changes: the file that named it shows by its time. */
export default defineMigration({
  id: "0010-folders",
  why: "sessions that do not record their repository have that of their folder, also after the folder is gone",
  up(db) {
    db.exec(`
      ALTER TABLE sessions ADD COLUMN repository_evidence TEXT;  -- session: recorded in it; folder: the git remote of its folder
      CREATE TABLE folders (
        folder      TEXT PRIMARY KEY,
        repository  TEXT,
        told        TEXT NOT NULL,     -- the file that says it, or would
        mtime_ms    REAL,              -- NULL while that file is not there
        size        INTEGER
      ) WITHOUT ROWID;
    `);
  },
});
