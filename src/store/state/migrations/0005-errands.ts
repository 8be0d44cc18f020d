import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0005-errands",
  why: "the rows that an agent's own database has of a session follow a write to its files, and come back when it is undone",
  up(db) {
    db.exec(`
      CREATE TABLE errands (
        operation TEXT NOT NULL REFERENCES journal (operation) ON DELETE CASCADE,
        source    TEXT NOT NULL,
        session   TEXT NOT NULL,
        path      TEXT NOT NULL,     -- of the session
        is_due    INTEGER NOT NULL DEFAULT 1,
        rows      BLOB,              -- those that were there before, packed
        PRIMARY KEY (operation, source, session)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX errands_due ON errands (operation) WHERE is_due;
    `);
  },
});
