/** What people may ask for: the tables meant for queries, and their columns. */
import type { Database } from "../platform/sqlite.ts";

export interface StoreTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Stable: queries may rely on these. The rest of the file is bookkeeping of the index. */
const TABLES = [
  "sessions",
  "turns",
  "checkpoints",
  "session_files",
  "session_refs",
  "tool_calls",
  "assistant_usage_events",
  "problems",
  "search_index",
  "dynamic_context_items",
];

export function readSchema(db: Database): StoreTable[] {
  const columns = db.prepare("SELECT name FROM pragma_table_info(?)");
  return TABLES.map((name) => ({ name, columns: columns.all(name).map((row) => String(row.name)) }));
}
