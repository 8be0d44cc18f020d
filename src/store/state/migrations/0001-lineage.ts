import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0001-lineage",
  why: "a session that we made from another remembers which, and how",
  up(db) {
    db.exec(`
      CREATE TABLE lineage (
        child_source  TEXT NOT NULL,
        child_id      TEXT NOT NULL,
        parent_source TEXT NOT NULL,   -- no foreign keys: either may be gone from this machine
        parent_id     TEXT NOT NULL,
        kind          TEXT NOT NULL CHECK (kind IN ('clone', 'fork', 'handoff', 'import')),
        made_at       TEXT NOT NULL,
        operation     TEXT,            -- the journal's id of the write that made it
        PRIMARY KEY (child_source, child_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX lineage_by_parent ON lineage (parent_source, parent_id);
    `);
  },
});
