import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0002-journal",
  why: "every write to an agent's files is written down before it happens, and can be completed, reverted and undone",
  up(db) {
    db.exec(`
      CREATE TABLE journal (
        operation TEXT PRIMARY KEY,
        kind      TEXT NOT NULL,       -- fork, rewind, move …
        plan      TEXT NOT NULL CHECK (json_valid(plan)),
        state     TEXT NOT NULL CHECK (state IN ('pending', 'committed', 'reverted')),
        began_at  TEXT NOT NULL,
        ended_at  TEXT,
        CHECK ((state = 'pending') = (ended_at IS NULL))
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX journal_pending ON journal (began_at) WHERE state = 'pending';
    `);
  },
});
