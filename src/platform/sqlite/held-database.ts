/** A SQLite database that is held in memory and kept elsewhere as bytes, for statements that come from outside. */

import { constants, DatabaseSync } from "node:sqlite";
import { memberOf } from "../../model/values/member.ts";

export interface SqlStatement {
  /** `exec` runs any number of statements, `query` gives rows, `run` counts what it changed. */
  readonly queryType: "exec" | "query" | "run";
  readonly query: string;
  readonly params?: Readonly<Record<string, string | number | null>>;
}

export interface SqlResult {
  rows: Record<string, unknown>[];
  columns: string[];
  rowsAffected: number;
  lastInsertRowid?: number;
}

export interface HeldDatabase {
  /** All of them, or none. */
  run(statements: readonly SqlStatement[]): SqlResult[];
  /** A whole SQLite file; nothing as long as there is not even a table. */
  bytes(): Uint8Array;
  /** Tells whether a statement has changed anything. */
  version(): string;
  close(): void;
}

const PROCESS_WIDE: ReadonlySet<string> = new Set([
  "hard_heap_limit",
  "soft_heap_limit",
  "temp_store_directory",
  "data_store_directory",
]);

/** Without bytes, an empty one. */
export function holdDatabase(bytes?: Uint8Array): HeldDatabase {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  if (bytes && bytes.length > 0) db.deserialize(bytes);
  // A statement must reach neither other files of this machine nor what all databases of the process have in common.
  db.setAuthorizer((action, first) =>
    action === constants.SQLITE_ATTACH ||
    action === constants.SQLITE_DETACH ||
    (action === constants.SQLITE_PRAGMA && PROCESS_WIDE.has(first?.toLowerCase() ?? ""))
      ? constants.SQLITE_DENY
      : constants.SQLITE_OK,
  );
  const runOne = ({ queryType, query, params = {} }: SqlStatement): SqlResult => {
    if (queryType === "exec") {
      db.exec(query);
      return { rows: [], columns: [], rowsAffected: 0 };
    }
    const statement = db.prepare(query);
    statement.setAllowUnknownNamedParameters(true);
    if (queryType === "query") {
      const rows = statement.all(params).map((row) => ({ ...row }));
      return { rows, columns: statement.columns().map(({ name }) => name), rowsAffected: 0 };
    }
    const { changes, lastInsertRowid } = statement.run(params);
    return {
      rows: [],
      columns: [],
      rowsAffected: Number(changes),
      lastInsertRowid: Number(lastInsertRowid),
    };
  };
  return {
    run(statements) {
      // Statements that begin and end a transaction of their own cannot run within another.
      const isOwn = statements.length > 1;
      if (isOwn) db.exec("BEGIN IMMEDIATE");
      try {
        const results = statements.map(runOne);
        if (isOwn) db.exec("COMMIT");
        if (db.isTransaction) throw new Error("a transaction must end in the call that begins it");
        return results;
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },
    bytes: () => db.serialize(),
    version() {
      const { total } = db.prepare("SELECT total_changes() AS total").get() ?? {};
      const [schema, user, application] = ["schema_version", "user_version", "application_id"].map((name) =>
        memberOf(db.prepare(`PRAGMA ${name}`).get() ?? {}, name),
      );
      return [total, schema, user, application].join();
    },
    close: () => db.close(),
  };
}
