import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0013-copies",
  why: "turns that a clone or fork inherited count once, and forks that nobody recorded have a parent",
  up(db) {
    db.exec(`
      ALTER TABLE turns ADD COLUMN work INTEGER;               -- the same in every copy of the turn
      ALTER TABLE sessions ADD COLUMN born_ms REAL;            -- when the file was made: a copy is younger
      ALTER TABLE sessions ADD COLUMN parent_evidence TEXT;    -- session: recorded in it; turns: it has turns of its parent
      CREATE TABLE turn_copies (
        session_id  TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        turn_index  INTEGER NOT NULL,
        owner       TEXT NOT NULL,     -- sessions.id of the earliest session that has this turn
        PRIMARY KEY (session_id, turn_index)
      ) WITHOUT ROWID;
      DROP INDEX idx_turns_time;
      CREATE INDEX idx_turns_time ON turns(session_id, turn_index, timestamp, work);
      CREATE INDEX idx_turns_work ON turns(work) WHERE work IS NOT NULL;

      DROP VIEW turn_overview;
      CREATE VIEW turn_overview AS
        SELECT s.source, s.vendor_id AS session, s.title, s.repository, t.turn_index AS turn,
               t.timestamp AS started_at, t.ended_at,
               round(unixepoch(t.ended_at, 'subsec') - unixepoch(t.timestamp, 'subsec'), 1) AS seconds,
               t.user_message AS prompt, t.assistant_response AS answer,
               (SELECT count(*) FROM tool_calls k WHERE k.session_id = t.session_id AND k.turn_index = t.turn_index) AS tool_calls,
               t.session_id,
               (SELECT o.vendor_id FROM turn_copies c JOIN sessions o ON o.id = c.owner
                 WHERE c.session_id = t.session_id AND c.turn_index = t.turn_index) AS inherited_from
          FROM turns t JOIN sessions s ON s.id = t.session_id;
      DROP VIEW daily_use;
      CREATE VIEW daily_use AS
        SELECT date(t.timestamp, 'localtime') AS day, s.source, s.repository,
               count(DISTINCT t.session_id) AS sessions, count(*) AS turns
          FROM turns t JOIN sessions s ON s.id = t.session_id
         WHERE t.timestamp IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM turn_copies c WHERE c.session_id = t.session_id AND c.turn_index = t.turn_index)
         GROUP BY 1, 2, 3;
    `);
  },
});
