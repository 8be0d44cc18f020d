import { defineMigration } from "../migration.ts";

/** A copy of what state.db has, taken anew when its mark there has changed. */
export default defineMigration({
  id: "0018-tags",
  why: "sessions are filtered, counted and queried by their tags",
  up(db) {
    db.exec(`
      CREATE TABLE session_tags (
        source    TEXT NOT NULL,
        session   TEXT NOT NULL,  -- sessions.vendor_id: a session keeps its tags while its rows come and go
        tag       TEXT NOT NULL,
        tagged_at TEXT NOT NULL,
        PRIMARY KEY (source, session, tag)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX idx_session_tags_tag ON session_tags(tag);
      CREATE TABLE tag_marks (mark TEXT NOT NULL);

      CREATE VIEW tag_use AS
        SELECT s.source, s.vendor_id AS session, s.title, s.repository, t.tag, t.tagged_at, s.id AS session_id
          FROM session_tags t JOIN sessions s ON s.source = t.source AND s.vendor_id = t.session;
    `);
  },
});
