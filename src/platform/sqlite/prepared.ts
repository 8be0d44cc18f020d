/** Statements that are asked again and again on one connection: to prepare one takes as long as to run a small one. */
import type { StatementSync } from "node:sqlite";
import type { Database } from "./sqlite.ts";

/** Their texts vary with what is asked; more than these are rarely the same ones again. */
const MOST = 200;
const kept = new WeakMap<Database, Map<string, StatementSync>>();

/** For `all`, `get` and `run` only: with an iteration under way, the statement would begin anew below it. */
export function prepared(db: Database, sql: string): StatementSync {
  let statements = kept.get(db);
  if (!statements) {
    statements = new Map();
    kept.set(db, statements);
  }
  const known = statements.get(sql);
  if (known) return known;
  if (statements.size >= MOST) statements.clear();
  const made = db.prepare(sql);
  statements.set(sql, made);
  return made;
}
