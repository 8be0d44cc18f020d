import { defineMigration } from "../migration.ts";

/**
 * The tables of Copilot CLI's own store (its schema 8), with the same names, columns and meanings, so that queries
 * written for it run unchanged here. What other sources and our users need beyond it stands in further columns and tables.
 */
export default defineMigration({
  id: "0001-sessions",
  why: "one row a session, turn, tool call, file, reference, checkpoint and model call, for every source",
  up(db) {
    db.exec(`
      CREATE TABLE sessions (
        id          TEXT PRIMARY KEY,
        cwd         TEXT,
        repository  TEXT,
        host_type   TEXT,
        branch      TEXT,
        summary     TEXT,
        created_at  TEXT,
        updated_at  TEXT,
        source      TEXT NOT NULL,
        vendor_id   TEXT NOT NULL,     -- differs from id only when two roots hold a session of the same id
        title       TEXT NOT NULL,
        path        TEXT NOT NULL,
        turn_count  INTEGER NOT NULL,
        problem_count INTEGER NOT NULL,
        bytes       INTEGER NOT NULL,
        models      TEXT NOT NULL,     -- JSON array
        producer    TEXT,
        resume      TEXT,
        parent_id   TEXT,              -- no foreign key: the parent may be gone from this machine
        parent_kind TEXT,
        vanished_at TEXT               -- the files are gone; what we knew is kept
      );
      CREATE INDEX idx_sessions_repo ON sessions(repository);
      CREATE INDEX idx_sessions_cwd ON sessions(cwd);
      CREATE INDEX idx_sessions_updated ON sessions(updated_at);
      CREATE INDEX idx_sessions_parent ON sessions(parent_id) WHERE parent_id IS NOT NULL;

      CREATE TABLE turns (
        id           INTEGER PRIMARY KEY,
        session_id   TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        turn_index   INTEGER NOT NULL,
        user_message TEXT,
        assistant_response TEXT,
        timestamp    TEXT,
        ended_at     TEXT,
        more         TEXT,             -- earlier answers of the turn, what its tools ran and the heads of what they gave back
        UNIQUE(session_id, turn_index)
      );

      CREATE TABLE checkpoints (
        id           INTEGER PRIMARY KEY,
        session_id   TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        checkpoint_number INTEGER NOT NULL,
        title        TEXT,
        overview     TEXT,
        history      TEXT,
        work_done    TEXT,
        technical_details TEXT,
        important_files TEXT,
        next_steps   TEXT,
        created_at   TEXT,
        UNIQUE(session_id, checkpoint_number)
      );

      CREATE TABLE session_files (
        id           INTEGER PRIMARY KEY,
        session_id   TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        file_path    TEXT NOT NULL,
        tool_name    TEXT,
        turn_index   INTEGER,
        first_seen_at TEXT,
        action       TEXT NOT NULL,    -- created, edited or deleted: the first of them; else read
        UNIQUE(session_id, file_path)
      );
      CREATE INDEX idx_session_files_path ON session_files(file_path);

      CREATE TABLE session_refs (
        id           INTEGER PRIMARY KEY,
        session_id   TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        ref_type     TEXT NOT NULL,
        ref_value    TEXT NOT NULL,
        turn_index   INTEGER,
        created_at   TEXT,
        evidence     TEXT NOT NULL,    -- tool, command or mentioned; see model/refs.ts
        UNIQUE(session_id, ref_type, ref_value)
      );
      CREATE INDEX idx_session_refs_type_value ON session_refs(ref_type, ref_value);

      CREATE TABLE tool_calls (
        id           INTEGER PRIMARY KEY,
        session_id   TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        turn_index   INTEGER,
        tool_name    TEXT NOT NULL,
        status       TEXT NOT NULL,
        label        TEXT,             -- the command or path, shortened
        result_size  INTEGER,
        sub_agent    INTEGER NOT NULL DEFAULT 0
      );
      CREATE INDEX idx_tool_calls_session ON tool_calls(session_id, turn_index);

      CREATE TABLE assistant_usage_events (
        id           INTEGER PRIMARY KEY,
        session_id   TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        turn_index   INTEGER,
        agent_id     TEXT,
        parent_tool_call_id TEXT,
        model        TEXT NOT NULL,
        copilot_usage_model TEXT,
        input_tokens INTEGER,
        output_tokens INTEGER,
        cache_read_tokens INTEGER,
        cache_write_tokens INTEGER,
        reasoning_tokens INTEGER,
        total_nano_aiu INTEGER,
        request_multiplier REAL,
        duration_ms  INTEGER,
        time_to_first_token_ms INTEGER,
        output_ttft_ms REAL,
        inter_token_latency_ms INTEGER,
        initiator    TEXT,
        api_endpoint TEXT,
        reasoning_effort TEXT,
        finish_reason TEXT,
        content_filter_triggered INTEGER,
        token_details_json TEXT,
        created_at   TEXT
      );
      CREATE INDEX idx_assistant_usage_events_session ON assistant_usage_events(session_id, turn_index);
      CREATE INDEX idx_assistant_usage_events_model ON assistant_usage_events(model);

      CREATE TABLE dynamic_context_items (
        repository  TEXT NOT NULL,
        branch      TEXT NOT NULL,
        src         TEXT NOT NULL,
        name        TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '',
        content     TEXT NOT NULL DEFAULT '',
        read_count  INTEGER NOT NULL DEFAULT 0,
        count       INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (repository, branch, src, name)
      );

      CREATE TABLE problems (
        id          INTEGER PRIMARY KEY,
        session_id  TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        code        TEXT NOT NULL,
        severity    TEXT NOT NULL,
        path        TEXT NOT NULL,
        line        INTEGER,
        message     TEXT NOT NULL
      );
      CREATE INDEX idx_problems_session ON problems(session_id);

      -- What was read, and how far: the proof that an artifact has not changed since.
      CREATE TABLE fingerprints (
        source      TEXT NOT NULL,
        path        TEXT NOT NULL,
        session_id  TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        size        INTEGER NOT NULL,
        mtime_ms    REAL NOT NULL,
        ino         INTEGER NOT NULL,
        read_to     INTEGER,           -- the byte after the last whole line, where reading may go on
        lines       INTEGER,
        guard       TEXT,              -- hash of the bytes before read_to: a rewritten log shows
        version     INTEGER NOT NULL,  -- of the reader; a better one reads everything again
        PRIMARY KEY (source, path)
      ) WITHOUT ROWID;
      CREATE INDEX idx_fingerprints_session ON fingerprints(session_id);
    `);
  },
});
