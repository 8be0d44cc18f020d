import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0023-sweeps",
  why: "what a look at everything found is compared with at a glance, so that a question need not look at everything again",
  up(db) {
    db.exec(`
      CREATE TABLE sweeps (
        source       TEXT NOT NULL,
        root         TEXT NOT NULL,
        at_ms        INTEGER NOT NULL,
        rows_version INTEGER NOT NULL,
        names        TEXT NOT NULL,    -- of sessions that nobody had written for a while, one a line
        stamps       BLOB NOT NULL,    -- numbers that only the source understands
        PRIMARY KEY (source, root)
      ) WITHOUT ROWID;
    `);
  },
});
