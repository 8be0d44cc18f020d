/** The items of Copilot CLI's context board in our own store: replaced as a whole when its store has changed. */
import { memberOf } from "../model/values/member.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import type { ContextItem } from "./copilot/context-items.ts";

export interface ContextItems {
  /** What was noted of the vendors' stores when the items were last read. */
  mark(): string | undefined;
  /** The caller holds the transaction. */
  replace(items: readonly ContextItem[], mark: string): void;
  /** Takes the items of an older store, where the vendors' own cannot be read. The caller holds the transaction. */
  copyFrom(old: Database): void;
}

const COLUMNS = ["repository", "branch", "src", "name", "description", "content", "read_count", "count"];

export function createContextItems(db: Database): ContextItems {
  const put = (items: readonly ContextItem[]): void => {
    const insert = db.prepare(
      `INSERT OR REPLACE INTO dynamic_context_items (${COLUMNS.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    db.exec("DELETE FROM dynamic_context_items");
    for (const item of items)
      insert.run(
        item.repository,
        item.branch,
        item.src,
        item.name,
        item.description,
        item.content,
        item.readCount,
        item.count,
      );
  };
  return {
    mark() {
      const mark = db.prepare("SELECT mark FROM context_item_marks").get()?.mark;
      return mark === undefined ? undefined : String(mark);
    },
    replace(items, mark) {
      put(items);
      db.exec("DELETE FROM context_item_marks");
      db.prepare("INSERT INTO context_item_marks (mark) VALUES (?)").run(mark);
    },
    copyFrom(old) {
      const insert = db.prepare(
        `INSERT OR IGNORE INTO dynamic_context_items (${COLUMNS.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      for (const row of old.prepare(`SELECT ${COLUMNS.join(", ")} FROM dynamic_context_items`).all())
        insert.run(...COLUMNS.map((name) => memberOf(row, name) ?? null));
    },
  };
}
