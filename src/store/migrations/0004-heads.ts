import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0004-heads",
  why: "lists and statistics are answered from the store alone",
  up(db) {
    db.exec(`
      ALTER TABLE sessions ADD COLUMN parent_title TEXT;  -- as the child tells it: the parent may be gone
      -- 'reading' or 'scan': what a scan sees (orphans, hidden sessions) changes while the session's file does not.
      ALTER TABLE problems ADD COLUMN found_by TEXT NOT NULL DEFAULT 'reading';
      CREATE INDEX idx_problems_scan ON problems(session_id) WHERE found_by = 'scan';
      -- What the vendor's own list of sessions said, as JSON: it may rename a session without touching its file.
      ALTER TABLE fingerprints ADD COLUMN listed TEXT;
      -- When each turn was, without going through its text.
      CREATE INDEX idx_turns_time ON turns(session_id, turn_index, timestamp);
    `);
  },
});
