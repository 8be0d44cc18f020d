import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0022-call-copies",
  why: "a model call that a fork repeats counts once, even where the turn around it is not recognised as a copy",
  up(db) {
    db.exec(`
      ALTER TABLE assistant_usage_events ADD COLUMN call_key INTEGER;  -- the same in every record of the call
      CREATE INDEX idx_usage_call ON assistant_usage_events(call_key, session_id) WHERE call_key IS NOT NULL;
      CREATE TABLE call_copies (
        session_id  TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        call_key    INTEGER NOT NULL,
        PRIMARY KEY (session_id, call_key)
      ) WITHOUT ROWID;
    `);
  },
});
