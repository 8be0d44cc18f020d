/** The context board in Copilot CLI's own store: what its memory workflows noted for a repository and a branch. */
import { peek } from "../../platform/sqlite/untouched.ts";

export interface ContextItem {
  readonly repository: string;
  readonly branch: string;
  readonly src: string;
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly readCount: number;
  readonly count: number;
}

/** Throws where the store cannot be read now; a store without such a table has no items. */
export function readContextItems(path: string): ContextItem[] {
  return peek(path, (db) => {
    const isThere = db
      .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'dynamic_context_items'")
      .get();
    if (!isThere) return [];
    return db.prepare("SELECT * FROM dynamic_context_items").all().map(toItem);
  });
}

const toItem = (row: Readonly<Record<string, unknown>>): ContextItem => ({
  repository: String(row.repository ?? ""),
  branch: String(row.branch ?? ""),
  src: String(row.src ?? ""),
  name: String(row.name ?? ""),
  description: String(row.description ?? ""),
  content: String(row.content ?? ""),
  readCount: Number(row.read_count ?? 0),
  count: Number(row.count ?? 0),
});
