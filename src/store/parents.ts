/** What the store knows of the sessions that others came from. */
import type { Parent, Session } from "../model/session/session.ts";
import type { SessionKey } from "../model/values/id.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

/** A parent that only the shared turns tell: its child's log does not name it. */
export function parentByTurns(db: Database, { source, id }: SessionKey): Parent | undefined {
  const row = db
    .prepare(
      `SELECT parent_id FROM sessions
        WHERE source = ? AND vendor_id = ? AND parent_id IS NOT NULL AND parent_evidence = 'turns'`,
    )
    .get(source, id);
  return row && { id: String(row.parent_id), kind: "fork" };
}

/** The same sessions, with the titles of those parents that are in the store; a title that a child recorded stays. */
export function withParentTitles(db: Database, sessions: readonly Session[]): readonly Session[] {
  if (!sessions.some(lacksTitle)) return sessions;
  const title = db.prepare("SELECT title FROM sessions WHERE source = ? AND vendor_id = ?");
  return sessions.map((session) => {
    const { parent, source } = session;
    const found = parent && lacksTitle(session) ? title.get(source, parent.id)?.title : undefined;
    return parent && typeof found === "string"
      ? { ...session, parent: { ...parent, title: found } }
      : session;
  });
}

const lacksTitle = ({ parent }: Session): boolean => parent !== undefined && parent.title === undefined;
