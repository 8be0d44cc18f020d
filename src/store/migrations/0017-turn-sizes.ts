import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0017-turn-sizes",
  why: "a page shows how much each turn gives the model to read, and how many lines of each file a session changed",
  up(db) {
    db.exec(`
      ALTER TABLE turns ADD COLUMN text_bytes INTEGER;          -- UTF-8, of what was asked, said, called and given back
      ALTER TABLE session_files ADD COLUMN lines_added INTEGER;    -- over all recorded edits; NULL without any
      ALTER TABLE session_files ADD COLUMN lines_removed INTEGER;
      ALTER TABLE session_files ADD COLUMN uncounted INTEGER NOT NULL DEFAULT 0;  -- recorded edits that do not say how many lines
      DROP VIEW file_use;
      CREATE VIEW file_use AS
        SELECT s.source, s.vendor_id AS session, s.title, s.repository, f.file_path AS path, f.action,
               f.tool_name AS tool, f.turn_index AS turn, f.first_seen_at AS seen_at, f.session_id,
               CASE WHEN f.uncounted = 0 THEN f.lines_added END AS lines_added,
               CASE WHEN f.uncounted = 0 THEN f.lines_removed END AS lines_removed
          FROM session_files f JOIN sessions s ON s.id = f.session_id;
    `);
  },
});
