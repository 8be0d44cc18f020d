/** The items of the context board in our store: copies of our own, and of those in the vendors' stores. */
import { OWN_KEEPER } from "../model/board/item.ts";
import { memberOf } from "../model/values/member.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import type { ContextItem } from "./copilot/context-items.ts";

/** An item with the program that keeps it. */
export interface KeptItem extends ContextItem {
  /** `rethread`, or a source. */
  readonly keptBy: string;
  readonly updatedAt?: string;
}

/** Whose items: those that we keep, or those that programs of vendors keep. */
export type Keepers = "own" | "vendors";

export interface ContextItems {
  /** What was noted of their origin when the items were last copied. */
  mark(whose: Keepers): string | undefined;
  /** The caller holds the transaction. */
  replace(whose: Keepers, items: readonly KeptItem[], mark: string): void;
  /** Takes the items of an older store, where their origin cannot be read. The caller holds the transaction. */
  copyFrom(old: Database, whose: Keepers): void;
  of(whose: Keepers): KeptItem[];
}

const COLUMNS = [
  "repository",
  "branch",
  "src",
  "name",
  "description",
  "content",
  "read_count",
  "count",
  "kept_by",
  "updated_at",
];
const INSERT = `INTO dynamic_context_items (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`;
const MARKS = { own: "board_marks", vendors: "context_item_marks" } as const;
const WHOSE = { own: `kept_by = '${OWN_KEEPER}'`, vendors: `kept_by <> '${OWN_KEEPER}'` } as const;

export function createContextItems(db: Database): ContextItems {
  return {
    mark(whose) {
      const mark = db.prepare(`SELECT mark FROM ${MARKS[whose]}`).get()?.mark;
      return mark === undefined ? undefined : String(mark);
    },
    replace(whose, items, mark) {
      db.exec(`DELETE FROM dynamic_context_items WHERE ${WHOSE[whose]}`);
      const insert = db.prepare(`INSERT OR REPLACE ${INSERT}`);
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
          item.keptBy,
          item.updatedAt ?? null,
        );
      db.exec(`DELETE FROM ${MARKS[whose]}`);
      db.prepare(`INSERT INTO ${MARKS[whose]} (mark) VALUES (?)`).run(mark);
    },
    copyFrom(old, whose) {
      const insert = db.prepare(`INSERT OR IGNORE ${INSERT}`);
      const kept = old.prepare(
        `SELECT ${COLUMNS.join(", ")} FROM dynamic_context_items WHERE ${WHOSE[whose]}`,
      );
      for (const row of kept.all()) insert.run(...COLUMNS.map((name) => memberOf(row, name) ?? null));
    },
    of: (whose) =>
      db
        .prepare(
          `SELECT * FROM dynamic_context_items WHERE ${WHOSE[whose]} ORDER BY repository, branch, name`,
        )
        .all()
        .map((row) => ({
          repository: String(row.repository),
          branch: String(row.branch),
          src: String(row.src),
          name: String(row.name),
          description: String(row.description),
          content: String(row.content),
          readCount: Number(row.read_count),
          count: Number(row.count),
          keptBy: String(row.kept_by),
          ...(row.updated_at !== null && { updatedAt: String(row.updated_at) }),
        })),
  };
}
