import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0016-lists",
  why: "a page of the latest sessions needs no sorting, and a list is filtered by words as fast as they are typed",
  up(db) {
    db.exec(`
      DROP INDEX idx_sessions_updated;
      CREATE INDEX idx_sessions_latest ON sessions(updated_at DESC, vendor_id, source, path);
      ALTER TABLE sessions ADD COLUMN words TEXT;  -- title, repository, branch, folder, start of the first prompt; in lower case
      UPDATE sessions SET words = lower(concat_ws(char(10), title, repository, branch, cwd,
        (SELECT substr(t.user_message, 1, 200) FROM turns t WHERE t.session_id = sessions.id AND t.turn_index = 0)));
    `);
  },
});
