/** Names that people may be typing: the ids of sessions with their titles, repositories, models, tags. */
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface NamedSession {
  readonly source: string;
  readonly id: string;
  readonly title: string;
}

/** Most recently active first, without those whose files are gone. */
export const findNames = (db: Database): NamedSession[] =>
  db
    .prepare(
      "SELECT source, vendor_id AS id, title FROM sessions WHERE vanished_at IS NULL ORDER BY updated_at DESC",
    )
    .all() as unknown as NamedSession[];

export const findRepositories = (db: Database): string[] =>
  textsOf(
    db,
    "SELECT repository AS text FROM sessions WHERE repository IS NOT NULL GROUP BY repository ORDER BY max(updated_at) DESC",
  );

export const findModels = (db: Database): string[] =>
  textsOf(
    db,
    "SELECT m.value AS text FROM sessions s, json_each(s.models) m GROUP BY m.value ORDER BY max(s.updated_at) DESC",
  );

export const findTags = (db: Database): string[] =>
  textsOf(db, "SELECT tag AS text FROM session_tags GROUP BY tag ORDER BY count(*) DESC, tag");

const textsOf = (db: Database, sql: string): string[] =>
  db
    .prepare(sql)
    .all()
    .map((row) => String(row.text));
