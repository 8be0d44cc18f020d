import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0006-retention",
  why: "the backup of a write may go once its result was found good, and not before",
  up(db) {
    db.exec(`
      ALTER TABLE journal ADD COLUMN confirmed_at TEXT;  -- by its program, which went on with it, or by its user
      ALTER TABLE journal ADD COLUMN released_at TEXT;   -- its backup is gone since then

      CREATE TABLE outcomes (
        operation TEXT NOT NULL REFERENCES journal (operation) ON DELETE CASCADE,
        path      TEXT NOT NULL,     -- of a session
        size      INTEGER,           -- with the next one: the file as the write left it, if it left one
        ino       INTEGER,
        PRIMARY KEY (operation, path)
      ) STRICT, WITHOUT ROWID;
    `);
  },
});
