/** Inserts many rows per statement, because a statement for each row would double the cost. */
import type { Database } from "../platform/sqlite/sqlite.ts";

export type Value = string | number | null;

export interface RowBatch {
  /** The values in the order of the columns; in the database at the latest with `flush`. */
  add(...values: Value[]): void;
  /** To be called before anybody asks for the rows, and before each commit. */
  flush(): void;
  /** What was not flushed is forgotten, as after a rollback. */
  forget(): void;
}

const ROWS = 16;

export function createRowBatch(db: Database, table: string, columns: readonly string[]): RowBatch {
  const row = `(${columns.map(() => "?").join(", ")})`;
  const insert = (rows: number) =>
    db.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${Array.from({ length: rows }, () => row).join(", ")}`,
    );
  const [many, one] = [insert(ROWS), insert(1)];
  let waiting: Value[] = [];
  return {
    add(...values) {
      waiting.push(...values);
      if (waiting.length < ROWS * columns.length) return;
      many.run(...waiting);
      waiting = [];
    },
    flush() {
      for (let at = 0; at < waiting.length; at += columns.length)
        one.run(...waiting.slice(at, at + columns.length));
      waiting = [];
    },
    forget() {
      waiting = [];
    },
  };
}
