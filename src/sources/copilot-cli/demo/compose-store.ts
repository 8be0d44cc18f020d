/**
 * Copilot CLI's own store, as version 1.0.102 makes it for a home that has none (schema 8): it fills it turn by turn, so
 * it knows nothing of sessions that were there before. `rethread index --copilot` adds them.
 */
import type { BoardNote } from "../../../model/board/item.ts";
import type { FileImage } from "../../../model/image.ts";

const OF_SESSION = "session_id TEXT NOT NULL REFERENCES sessions(id)";
const KEY = "id INTEGER PRIMARY KEY AUTOINCREMENT";
const time = (name: string): string => `${name} TEXT DEFAULT (datetime('now'))`;

const TABLES: Readonly<Record<string, readonly string[]>> = {
  schema_version: ["version INTEGER NOT NULL"],
  sessions: [
    "id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, host_type TEXT, branch TEXT, summary TEXT",
    time("created_at"),
    time("updated_at"),
  ],
  turns: [
    KEY,
    OF_SESSION,
    "turn_index INTEGER NOT NULL, user_message TEXT, assistant_response TEXT",
    time("timestamp"),
    "UNIQUE(session_id, turn_index)",
  ],
  checkpoints: [
    KEY,
    OF_SESSION,
    "checkpoint_number INTEGER NOT NULL, title TEXT, overview TEXT, history TEXT, work_done TEXT",
    "technical_details TEXT, important_files TEXT, next_steps TEXT",
    time("created_at"),
    "UNIQUE(session_id, checkpoint_number)",
  ],
  session_files: [
    KEY,
    OF_SESSION,
    "file_path TEXT NOT NULL, tool_name TEXT, turn_index INTEGER",
    time("first_seen_at"),
    "UNIQUE(session_id, file_path)",
  ],
  session_refs: [
    KEY,
    OF_SESSION,
    "ref_type TEXT NOT NULL, ref_value TEXT NOT NULL, turn_index INTEGER",
    time("created_at"),
    "UNIQUE(session_id, ref_type, ref_value)",
  ],
  forge_trajectory_events: [
    KEY,
    OF_SESSION,
    "tool_call_id TEXT, turn_index INTEGER, event_type TEXT NOT NULL, command TEXT, output TEXT, exit_code INTEGER",
    "event_key TEXT, event_value TEXT",
    time("created_at"),
  ],
  assistant_usage_events: [
    KEY,
    OF_SESSION,
    "turn_index INTEGER, agent_id TEXT, parent_tool_call_id TEXT, model TEXT NOT NULL, copilot_usage_model TEXT",
    "input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER",
    "reasoning_tokens INTEGER, total_nano_aiu INTEGER, request_multiplier REAL, duration_ms INTEGER",
    "time_to_first_token_ms INTEGER, output_ttft_ms REAL, inter_token_latency_ms INTEGER, initiator TEXT",
    "api_endpoint TEXT, reasoning_effort TEXT, finish_reason TEXT, content_filter_triggered INTEGER",
    "token_details_json TEXT",
    time("created_at"),
  ],
  forge_skill_proposals: [
    "id TEXT PRIMARY KEY, repo_owner TEXT, repo_name TEXT, git_root_path TEXT NOT NULL, branch_name TEXT NOT NULL",
    "trigger_mode TEXT NOT NULL, status TEXT NOT NULL, fingerprint TEXT, manifest_json TEXT, summary_json TEXT",
    "workspace_before_json TEXT, superseded_by TEXT, failure_reason TEXT",
    "created_at TEXT NOT NULL, updated_at TEXT NOT NULL",
  ],
  dynamic_context_items: [
    "repository TEXT NOT NULL, branch TEXT NOT NULL, src TEXT NOT NULL, name TEXT NOT NULL",
    "description TEXT NOT NULL DEFAULT '', content TEXT NOT NULL DEFAULT ''",
    "read_count INTEGER NOT NULL DEFAULT 0, count INTEGER NOT NULL DEFAULT 0",
    "PRIMARY KEY (repository, branch, src, name)",
  ],
};

const INDEXES: readonly (readonly [name: string, on: string])[] = [
  ["idx_sessions_repo", "sessions(repository)"],
  ["idx_sessions_cwd", "sessions(cwd)"],
  ["idx_session_files_path", "session_files(file_path)"],
  ["idx_session_refs_type_value", "session_refs(ref_type, ref_value)"],
  ["idx_turns_session", "turns(session_id)"],
  ["idx_checkpoints_session", "checkpoints(session_id)"],
];

const SQL = [
  "PRAGMA journal_mode = WAL",
  ...Object.entries(TABLES).map(([name, columns]) => `CREATE TABLE ${name} (${columns.join(", ")})`),
  ...INDEXES.map(([name, on]) => `CREATE INDEX ${name} ON ${on}`),
  "CREATE VIRTUAL TABLE search_index USING fts5(content, session_id UNINDEXED, source_type UNINDEXED, source_id UNINDEXED)",
  "INSERT INTO schema_version VALUES (8)",
].join(";\n");

/** What its memory agent wrote on the context board. */
const toInsert = (note: BoardNote): string => {
  const { repository, branch, source, name, description, content, readCount, useCount } = note;
  const texts = [repository, branch, source, name, description, content].map(
    (text) => `'${text.replaceAll("'", "''")}'`,
  );
  return `INSERT INTO dynamic_context_items VALUES (${[...texts, readCount, useCount].join(", ")})`;
};

export const withStore = (images: readonly FileImage[], notes: readonly BoardNote[] = []): FileImage[] => [
  ...images,
  {
    path: "session-store.db",
    content: { sql: [SQL, ...notes.map(toInsert)].join(";\n") },
    mode: 0o600,
  },
];
