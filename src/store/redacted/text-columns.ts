/** Where texts of sessions stand in the store: whatever is copied without secrets, and looked through for them. */

export interface TextColumns {
  readonly table: string;
  /** The column that names the session. */
  readonly key: string;
  readonly columns: readonly string[];
}

export const CHECKPOINT_TEXTS = [
  ...["title", "overview", "history", "work_done", "technical_details", "important_files", "next_steps"],
];
export const PROBLEM_TEXTS = ["message", "remedy", "fix"];
export const SESSION_TEXTS = [
  ...[
    "title",
    "summary",
    "cwd",
    "repository",
    "branch",
    "resume",
    "user_name",
    "parent_title",
    "from_title",
    "words",
  ],
];

export const TEXT_COLUMNS: readonly TextColumns[] = [
  { table: "sessions", key: "id", columns: SESSION_TEXTS },
  ...[
    { table: "turns", columns: ["user_message", "assistant_response", "more"] },
    { table: "checkpoints", columns: CHECKPOINT_TEXTS },
    { table: "session_files", columns: ["file_path"] },
    { table: "session_refs", columns: ["ref_value"] },
    { table: "tool_calls", columns: ["label"] },
    { table: "problems", columns: PROBLEM_TEXTS },
    { table: "search_texts", columns: ["content", "label"] },
  ].map((each) => ({ ...each, key: "session_id" })),
];
