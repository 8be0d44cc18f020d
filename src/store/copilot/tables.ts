/** The tables of Copilot CLI's own session-store.db that can be made from its logs. Evidence: `test/real/copilot-own-store.test.ts`. */

export type Cell = string | number | null;
/** Columns that are left out stay as they are. */
export type Row = Readonly<Record<string, Cell>>;

export interface Table {
  readonly name: string;
  /** The column that names the session. */
  readonly owner: string;
  /** The columns that identify a row within a session. */
  readonly key: readonly string[];
  readonly facts: readonly string[];
  /** Written with a new row and then left alone: the program writes the hour of its own work there. */
  readonly once: readonly string[];
  /** A row with another one of these is another row in the same place, and its `once` columns are written anew. */
  readonly sameBy?: string;
}

/** The version in `schema_version` whose tables these are. */
export const SCHEMA = 8;

/** In the order of writing: the rows of the others refer to that of the session. */
export const TABLES = [
  {
    name: "sessions",
    owner: "id",
    key: [],
    facts: ["cwd", "repository", "branch", "summary", "created_at", "updated_at"],
    once: [],
  },
  {
    name: "turns",
    owner: "session_id",
    key: ["turn_index"],
    facts: ["user_message", "assistant_response"],
    once: ["timestamp"],
    sameBy: "user_message",
  },
  {
    name: "checkpoints",
    owner: "session_id",
    key: ["checkpoint_number"],
    facts: [
      "title",
      "overview",
      "history",
      "work_done",
      "technical_details",
      "important_files",
      "next_steps",
    ],
    once: ["created_at"],
    sameBy: "overview",
  },
  {
    name: "session_files",
    owner: "session_id",
    key: ["file_path"],
    facts: ["tool_name", "turn_index"],
    once: ["first_seen_at"],
  },
  {
    name: "session_refs",
    owner: "session_id",
    key: ["ref_type", "ref_value"],
    facts: ["turn_index"],
    once: ["created_at"],
  },
  {
    name: "search_index",
    owner: "session_id",
    key: ["source_id"],
    facts: ["content", "source_type"],
    once: [],
  },
] as const satisfies readonly Table[];

export type TableName = (typeof TABLES)[number]["name"];

/** Tables that only the program can fill. Their rows go with a session whose files are gone, and only then. */
export const LIVE_TABLES = ["assistant_usage_events", "forge_trajectory_events"] as const;
