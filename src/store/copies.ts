/** Finds which turns and model calls are copies: each belongs to the earliest session that has it. */
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface Copies {
  /** To be called for a session whose rows are written. */
  touch(id: string): void;
  /** To be called before its rows go: those who share turns with it are concerned, too. */
  leave(id: string): void;
  /** Brings copies and parents in line with the rows, for all sessions that were touched. */
  settle(): void;
  /** After a rollback. */
  forget(): void;
}

const LISTED = "IN (SELECT value FROM json_each(?))";

/**
 * The earliest first. A copy often has the times of its original in it, so what was recorded and when the file was made
 * count as well.
 */
const earliest = (s: string): string =>
  `${s}.created_at IS NULL, ${s}.created_at, ${s}.parent_evidence IS 'session', ${s}.born_ms IS NULL, ${s}.born_ms, ${s}.updated_at, ${s}.id`;
const EARLIEST = earliest("s");

/** Whether this is the store of a rebuild, which nobody else sees, and which gets its indexes when all rows are there. */
export const isBuiltAnew = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'idx_turns_work'").get() === undefined;

export function createCopies(db: Database): Copies {
  const touched = new Set<string>();
  // Such a store has no index to ask, and is settled as a whole.
  const isIndexed = !isBuiltAnew(db);
  const others = isIndexed
    ? db.prepare(
        `SELECT DISTINCT o.session_id AS id
           FROM json_each(?1) asked
           CROSS JOIN turns t INDEXED BY idx_turns_time ON t.session_id = asked.value
           CROSS JOIN turns o INDEXED BY idx_turns_work ON o.work = t.work AND o.session_id <> t.session_id
          WHERE t.work IS NOT NULL
         UNION
         SELECT p.id
           FROM json_each(?1) asked
           CROSS JOIN sessions s ON s.id = asked.value
           CROSS JOIN usage_rows u ON u.session = s.number
           CROSS JOIN usage_rows o INDEXED BY idx_usage_call
             ON o.call_key = u.call_key AND o.session <> u.session
           CROSS JOIN sessions p ON p.number = o.session
          WHERE u.call_key IS NOT NULL`,
      )
    : undefined;
  /** Other sessions that have turns of these. */
  const sharers = (ids: readonly string[]): string[] =>
    (others?.all(JSON.stringify(ids)) ?? []).map((row) => String(row.id));
  return {
    touch: (id) => void touched.add(id),
    leave(id) {
      for (const other of sharers([id])) touched.add(other);
      touched.add(id);
    },
    settle() {
      if (touched.size === 0 || !isIndexed) return;
      const shared = sharers([...touched]);
      const concerned = [...new Set([...touched, ...shared])];
      touched.clear();
      settleCopies(db, concerned, shared.length > 0);
    },
    forget: () => touched.clear(),
  };
}

/** Of these sessions, together with all who share turns with them; of all sessions where none are named. */
export function settleCopies(db: Database, ids?: readonly string[], isAnyShared = true): void {
  const [where, values] = ids ? [`t.session_id ${LISTED}`, [JSON.stringify(ids)]] : ["true", []];
  // Without a hint SQLite may read all turns; a store that is built anew has no such indexes.
  const by = (index: string): string => (ids ? `INDEXED BY ${index}` : "");
  db.prepare(`DELETE FROM turn_copies AS t WHERE ${where}`).run(...values);
  db.prepare(`DELETE FROM call_copies AS t WHERE ${where}`).run(...values);
  if (isAnyShared) insertCopies(db, where, values, by);
  if (isAnyShared) insertCallCopies(db, where, values, by);
  findParents(db, ids);
}

function insertCopies(
  db: Database,
  where: string,
  values: readonly string[],
  by: (index: string) => string,
): void {
  db.prepare(
    `INSERT INTO turn_copies (session_id, turn_index, owner)
       WITH mine AS MATERIALIZED (
         SELECT DISTINCT t.work FROM turns t ${by("idx_turns_time")} WHERE ${where} AND t.work IS NOT NULL),
       shared AS MATERIALIZED (
         SELECT work FROM turns ${by("idx_turns_work")} WHERE work IN (SELECT work FROM mine)
          GROUP BY work HAVING min(session_id) <> max(session_id)),
       ranked AS (
         SELECT t.session_id, t.turn_index,
                first_value(t.session_id) OVER (PARTITION BY t.work ORDER BY ${EARLIEST}) AS owner
           FROM shared JOIN turns t ${by("idx_turns_work")} ON t.work = shared.work
           JOIN sessions s ON s.id = t.session_id)
       SELECT t.session_id, t.turn_index, t.owner FROM ranked t WHERE t.owner <> t.session_id AND ${where}`,
  ).run(...values, ...values);
}

function insertCallCopies(
  db: Database,
  where: string,
  values: readonly string[],
  by: (index: string) => string,
): void {
  const asked =
    values.length === 0 ? "true" : `t.session IN (SELECT number FROM sessions WHERE id ${LISTED})`;
  db.prepare(
    `INSERT OR IGNORE INTO call_copies (session_id, call_key)
       WITH mine AS MATERIALIZED (
         SELECT DISTINCT t.call_key FROM usage_rows t WHERE ${asked} AND t.call_key IS NOT NULL),
       shared AS MATERIALIZED (
         SELECT call_key FROM usage_rows ${by("idx_usage_call")}
          WHERE call_key IN (SELECT call_key FROM mine)
          GROUP BY call_key HAVING min(session) <> max(session)),
       ranked AS (
         SELECT s.id AS session_id, t.call_key,
                first_value(s.id) OVER (PARTITION BY t.call_key ORDER BY ${EARLIEST}) AS owner
           FROM shared JOIN usage_rows t ${by("idx_usage_call")} ON t.call_key = shared.call_key
           JOIN sessions s ON s.number = t.session)
       SELECT t.session_id, t.call_key FROM ranked t WHERE t.owner <> t.session_id AND ${where}`,
  ).run(...values, ...values);
}

/**
 * A session that names neither a parent nor what it was handed over from came from the one that owns the last turn it inherited. Where that is one of
 * another program, the turn was handed over, and the session is a fork of the first that has it in its own program.
 */
function findParents(db: Database, ids?: readonly string[]): void {
  const [where, values] = ids ? [`s.id ${LISTED}`, [JSON.stringify(ids)]] : ["true", []];
  db.prepare(
    `WITH found AS MATERIALIZED (
       SELECT s.id, p.vendor_id AS parent
         FROM sessions s
         LEFT JOIN (SELECT session_id, owner, max(turn_index) AS last FROM turn_copies GROUP BY session_id) c ON c.session_id = s.id
         LEFT JOIN sessions o ON o.id = c.owner
         LEFT JOIN sessions p ON p.vendor_id <> s.vendor_id AND p.id = iif(o.source = s.source, o.id, (
           SELECT k.id FROM turns t JOIN turns u ON u.work = t.work JOIN sessions k ON k.id = u.session_id
            WHERE t.session_id = c.session_id AND t.turn_index = c.last AND k.source = s.source
            ORDER BY ${earliest("k")} LIMIT 1))
        WHERE s.parent_evidence IS NOT 'session' AND s.from_id IS NULL AND ${where})
     UPDATE sessions
        SET parent_id = found.parent, parent_title = NULL,
            parent_kind = iif(found.parent IS NULL, NULL, 'fork'),
            parent_evidence = iif(found.parent IS NULL, NULL, 'turns')
       FROM found WHERE found.id = sessions.id AND sessions.parent_id IS NOT found.parent`,
  ).run(...values);
}

/** How many turns of each source are copies of turns that are here as well. */
export function countCopies(db: Database): Map<string, number> {
  const rows = db
    .prepare(
      `SELECT s.source, count(*) AS copies FROM turn_copies c
         JOIN sessions s ON s.id = c.session_id AND s.vanished_at IS NULL
         JOIN sessions o ON o.id = c.owner AND o.vanished_at IS NULL
        GROUP BY 1`,
    )
    .all();
  return new Map(rows.map(({ source, copies }) => [String(source), Number(copies)]));
}
