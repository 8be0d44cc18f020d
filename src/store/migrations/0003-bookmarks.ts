import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0003-bookmarks",
  why: "a log that only grew is read from where reading stopped",
  up(db) {
    db.exec(`
      -- What the reader and the indexer knew where they stopped. Apart from fingerprints, which every refresh loads.
      CREATE TABLE bookmarks (
        session_id  TEXT PRIMARY KEY REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        state       TEXT NOT NULL      -- JSON, understood by whoever wrote it
      ) WITHOUT ROWID;
      -- About the session as it is now, not about one record: found anew by every reading.
      ALTER TABLE problems ADD COLUMN passing INTEGER NOT NULL DEFAULT 0;
    `);
  },
});
