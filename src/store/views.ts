/** Describes the views and their columns; they stay compatible in later versions. */
import type { StoreColumn, StoreView } from "./schema.ts";

const view = (name: string, means: string, columns: Readonly<Record<string, string>>): StoreView => ({
  name,
  means,
  columns: Object.entries(columns).map(([column, words]): StoreColumn => ({ name: column, means: words })),
});

/** Which session a row is about; the same words in every view. */
const ABOUT = {
  source: "which agent, such as copilot-cli: what stands before the colon in `source:id`",
  session: "the agent's own id for the session",
  title: "the title of the session",
  repository:
    "owner/name on github.com, host/path/name elsewhere: what the agent recorded, else the git remote of the folder; NULL without either",
};
const KEY = { session_id: "the key of the tables: sessions.id, and session_id in all others" };

export const VIEWS: readonly StoreView[] = [
  view("session_overview", "one row per session, with totals of what was done in it", {
    source: ABOUT.source,
    session: ABOUT.session,
    title: "given by a person or the agent, otherwise the first prompt",
    workspace: "the folder the work was about",
    repository: ABOUT.repository,
    branch: "the git branch",
    started_at: "ISO time",
    active_at: "ISO time of the last activity",
    turns: "how many prompts",
    tool_calls: "how many, including those of sub-agents",
    files_changed: "how many were created, edited or deleted",
    input_tokens: "as the agent counts them; NULL when it does not",
    output_tokens: "likewise",
    models: "JSON array of their names",
    problems: "how many were found while indexing, not counting oddities",
    bytes: "size of the session's file",
    resume:
      "the program's own command that continues it, for a shell in the workspace; `rethread resume` runs it there",
    parent: "the agent's id for the session it was forked from",
    parent_kind: "fork, clone, branch or agent (a sub-agent that no call leads to)",
    vanished_at: "when its files were found to be gone; NULL while they exist",
    ...KEY,
  }),
  view("turn_overview", "one row per turn, with its prompt and its answer", {
    ...ABOUT,
    turn: "its number, counted from 0",
    started_at: "ISO time of the prompt",
    ended_at: "ISO time of the last thing that happened in it",
    seconds: "between the two",
    prompt: "what was asked",
    answer: "the last answer",
    tool_calls: "how many, including those of sub-agents",
    ...KEY,
    inherited_from:
      "the agent's id for the earlier session that this fork or clone has the turn from; else NULL",
  }),
  view("tool_use", "one row per tool call", {
    ...ABOUT,
    turn: "in which turn; NULL before the first prompt",
    turn_at: "ISO time of that turn's prompt",
    tool: "the agent's name for the tool",
    status: "ok, failed, interrupted or pending (no result)",
    label: "the command or path, shortened",
    result_size: "characters of the result",
    sub_agent: "1 when a sub-agent called it",
    ...KEY,
  }),
  view("file_use", "one row for each file that a session read or changed", {
    ...ABOUT,
    path: "as the agent wrote it, absolute or relative",
    action: "created, edited or deleted: the first of them; else read",
    tool: "the tool that was used",
    turn: "in which turn",
    seen_at: "ISO time of the first touch",
    ...KEY,
    lines_added: "over all edits, where the agent recorded how many; else NULL",
    lines_removed: "likewise",
  }),
  view("model_use", "one row per model call, when the agent records them", {
    ...ABOUT,
    turn: "in which turn",
    at: "ISO time of the call",
    model: "its name",
    input_tokens:
      "as the agent counts them: Claude Code does not include those from the cache, the others do",
    cache_read_tokens: "tokens that came from the cache",
    cache_write_tokens: "tokens that were written to the cache",
    output_tokens: "tokens of the answer",
    reasoning_tokens: "tokens of the thinking, when counted separately",
    duration_ms: "how long the call took",
    ...KEY,
  }),
  view("tag_use", "one row for each tag of a session", {
    ...ABOUT,
    tag: "in lower case",
    tagged_at: "ISO time at which you gave it",
    ...KEY,
  }),
  view(
    "daily_use",
    "one row per day, source and repository with at least one prompt; inherited turns count once",
    {
      day: "YYYY-MM-DD in your time zone",
      source: ABOUT.source,
      repository: ABOUT.repository,
      sessions: "how many had a prompt that day",
      turns: "how many prompts",
    },
  ),
];
