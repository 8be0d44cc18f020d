import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0011-sidecars",
  why: "plans, checkpoints and notes beside a log are searchable, and read again only when one of them changed",
  up(db) {
    db.exec(`
      ALTER TABLE fingerprints ADD COLUMN sidecars TEXT;         -- size and time of each file beside the log
      ALTER TABLE fingerprints ADD COLUMN sidecar_folders TEXT;  -- times of their folders
      ALTER TABLE search_texts ADD COLUMN label TEXT;            -- such as 'checkpoint 2', 'plan.md', 'files/notes.md'
      ALTER TABLE checkpoints ADD COLUMN file TEXT;              -- its file beside the log; NULL when only the log has it
      -- What the log says of a checkpoint while its file counts instead, as JSON.
      CREATE TABLE logged_checkpoints (
        session_id  TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        checkpoint_number INTEGER NOT NULL,
        logged      TEXT NOT NULL,
        PRIMARY KEY (session_id, checkpoint_number)
      ) WITHOUT ROWID;
    `);
  },
});
