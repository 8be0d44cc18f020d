/** Copilot CLI's own store as version 1.0.102 makes it (schema 8), for tests that run without the program. */
import { DatabaseSync } from "node:sqlite";

export function makeCopilotStore(path: string, version = 8): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE schema_version (version INTEGER NOT NULL);
    INSERT INTO schema_version VALUES (${version});
    CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, host_type TEXT, branch TEXT, summary TEXT,
      created_at TEXT DEFAULT (datetime('now')), updated_at TEXT DEFAULT (datetime('now')));
    CREATE TABLE turns (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
      turn_index INTEGER NOT NULL, user_message TEXT, assistant_response TEXT,
      timestamp TEXT DEFAULT (datetime('now')), UNIQUE(session_id, turn_index));
    CREATE TABLE checkpoints (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
      checkpoint_number INTEGER NOT NULL, title TEXT, overview TEXT, history TEXT, work_done TEXT,
      technical_details TEXT, important_files TEXT, next_steps TEXT,
      created_at TEXT DEFAULT (datetime('now')), UNIQUE(session_id, checkpoint_number));
    CREATE TABLE session_files (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
      file_path TEXT NOT NULL, tool_name TEXT, turn_index INTEGER,
      first_seen_at TEXT DEFAULT (datetime('now')), UNIQUE(session_id, file_path));
    CREATE TABLE session_refs (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
      ref_type TEXT NOT NULL, ref_value TEXT NOT NULL, turn_index INTEGER,
      created_at TEXT DEFAULT (datetime('now')), UNIQUE(session_id, ref_type, ref_value));
    CREATE TABLE forge_trajectory_events (id INTEGER PRIMARY KEY AUTOINCREMENT,
      session_id TEXT NOT NULL REFERENCES sessions(id), event_type TEXT NOT NULL);
    CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY AUTOINCREMENT,
      session_id TEXT NOT NULL REFERENCES sessions(id), turn_index INTEGER, model TEXT NOT NULL);
    CREATE TABLE dynamic_context_items (repository TEXT NOT NULL, branch TEXT NOT NULL, src TEXT NOT NULL,
      name TEXT NOT NULL, description TEXT NOT NULL DEFAULT '', content TEXT NOT NULL DEFAULT '',
      read_count INTEGER NOT NULL DEFAULT 0, count INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (repository, branch, src, name));
    CREATE VIRTUAL TABLE search_index USING fts5(content, session_id UNINDEXED, source_type UNINDEXED,
      source_id UNINDEXED);
  `);
  return db;
}
