/** The store's copy of the tags of sessions: replaced as a whole when those in state.db have changed. */
import type { Session } from "../model/session/session.ts";
import type { TagCount } from "../model/session/tags.ts";
import { formatKey } from "../model/values/id.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import type { TagRecords } from "./state/tags.ts";

/** What was noted of state.db when the tags were last copied. */
export function tagMark(db: Database): string | undefined {
  const mark = db.prepare("SELECT mark FROM tag_marks").get()?.mark;
  return mark === undefined ? undefined : String(mark);
}

/** The caller holds the transaction. */
export function replaceTags(db: Database, { mark, rows }: TagRecords): void {
  db.exec("DELETE FROM session_tags; DELETE FROM tag_marks");
  const insert = db.prepare("INSERT INTO session_tags (source, session, tag, tagged_at) VALUES (?, ?, ?, ?)");
  for (const { source, session, tag, taggedAt } of rows) insert.run(source, session, tag, taggedAt);
  db.prepare("INSERT INTO tag_marks (mark) VALUES (?)").run(mark);
}

/** The same sessions with their tags, in alphabetical order. */
export function withTags(db: Database, sessions: readonly Session[]): Session[] {
  if (sessions.length === 0 || !db.prepare("SELECT 1 FROM session_tags LIMIT 1").get()) return [...sessions];
  const tags = new Map<string, string[]>();
  for (const row of db.prepare("SELECT source, session, tag FROM session_tags ORDER BY 1, 2, 3").all()) {
    const key = formatKey({ source: String(row.source), id: String(row.session) });
    const known = tags.get(key);
    if (known) known.push(String(row.tag));
    else tags.set(key, [String(row.tag)]);
  }
  return sessions.map((session) => {
    const own = tags.get(formatKey(session));
    return own ? { ...session, tags: own } : session;
  });
}

/** Of the sessions that are in the store; most first. */
export const countStoredTags = (db: Database): TagCount[] =>
  db
    .prepare(
      `SELECT tag, count(*) AS count FROM session_tags t JOIN sessions s ON s.source = t.source AND s.vendor_id = t.session
        GROUP BY tag ORDER BY count DESC, tag`,
    )
    .all() as unknown as TagCount[];
