/** Describes the tables and views of the store that queries may use. */
import type { Database } from "../platform/sqlite/sqlite.ts";
import { VIEWS } from "./views.ts";

export interface StoreColumn {
  readonly name: string;
  readonly means: string;
}

export interface StoreTable {
  readonly name: string;
  readonly means: string;
  readonly columns: readonly string[];
}

export interface StoreView extends Omit<StoreTable, "columns"> {
  readonly columns: readonly StoreColumn[];
}

export interface StoreSchema {
  readonly views: readonly StoreView[];
  readonly tables: readonly StoreTable[];
}

/** Stable: queries may rely on these. The rest of the file is bookkeeping of the index. */
export const TABLE_MEANINGS: Readonly<Record<string, string>> = {
  sessions: "one row per session, of every source",
  turns: "prompts and answers, one row per turn",
  turn_copies: "turns that a fork, clone or handoff has from an earlier session (owner, a sessions.id)",
  call_copies: "model calls that an earlier session has as well (assistant_usage_events.call_key)",
  checkpoints:
    "the summaries that compactions wrote, by section; `file` names the one on disk, which counts more than the log",
  session_files:
    "files that a session read or changed, one row per file: its first change, or else the first time it was read",
  session_refs: "commits, pull requests and issues, and how each was found (evidence)",
  tool_calls: "every tool call, with its outcome",
  assistant_usage_events: "model calls and their tokens, as far as the agent recorded them",
  session_tags: "the tags that you gave sessions, by source and the agent's own id (session)",
  problems: "what was found wrong with sessions while indexing",
  search_index: "the full-text index, for MATCH",
  dynamic_context_items:
    "the context board, by repository and branch (`*` for every branch): our own items and, as its own store has them, those of Copilot CLI (`kept_by`)",
};

export function readSchema(db: Database): StoreSchema {
  const columns = db.prepare("SELECT name FROM pragma_table_info(?)");
  return {
    views: VIEWS,
    tables: Object.entries(TABLE_MEANINGS).map(([name, means]) => ({
      name,
      means,
      columns: columns.all(name).map((row) => String(row.name)),
    })),
  };
}
