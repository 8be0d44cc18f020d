/** Reads sessions from the store by filter, with the severity of their problems. */
import type { Severity } from "../model/problem.ts";
import type { HandedFrom, Parent, Session } from "../model/session/session.ts";
import { isAscending, type SessionOrder, type SessionPlace } from "../model/session/session-order.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { addFilterFunctions, compileFilter, type SessionFilter } from "./filter.ts";
import { withTags } from "./tag-rows.ts";

/** By the names of the columns. */
export type SessionRow = Readonly<Record<string, string | number | null>>;
type Row = SessionRow;

const COLUMNS =
  "source, vendor_id, title, summary, cwd, repository, repository_evidence, branch, created_at, updated_at, turn_count, problem_count, models, path, bytes, parent_id, parent_kind, parent_title, parent_evidence, from_source, from_id, from_title, producer, user_name, agent_name, resume, vanished_at";

/** Most recently active first; NULL sorts as the oldest, so sessions without a time come last. */
const BY_ACTIVITY = "ORDER BY s.updated_at DESC, s.vendor_id, s.source, s.path";

/** What decides the place of a session, as in `model/session-order.ts`. */
const ORDERED_BY: Readonly<Record<SessionOrder, string>> = {
  active: "coalesce(s.updated_at, '')",
  created: "coalesce(s.created_at, '')",
  title: "s.title COLLATE NOCASE",
  turns: "s.turn_count",
  size: "s.bytes",
};

export interface SessionPage {
  readonly limit?: number | undefined;
  readonly order?: SessionOrder | undefined;
  /** Only those that come after this place. */
  readonly after?: SessionPlace | undefined;
}

export function findSessions(db: Database, filter: SessionFilter, page: SessionPage = {}): Session[] {
  addFilterFunctions(db);
  const { where, values } = compileFilter(filter);
  const { limit = -1, order = "active", after } = page;
  const [key, isUp] = [ORDERED_BY[order], isAscending(order)];
  const conditions = [
    ...(where === "" ? [] : [where]),
    ...(after
      ? [`(${key} ${isUp ? ">" : "<"} ? OR (${key} = ? AND (s.vendor_id, s.source, s.path) > (?, ?, ?)))`]
      : []),
  ];
  const beyond = after ? [after.value, after.value, after.id, after.source, after.path] : [];
  const sorted =
    order === "active"
      ? BY_ACTIVITY
      : `ORDER BY ${key} ${isUp ? "ASC" : "DESC"}, s.vendor_id, s.source, s.path`;
  const rows = db
    .prepare(
      `SELECT ${COLUMNS} FROM sessions s ${conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : ""} ${sorted} LIMIT ?`,
    )
    .all(...values, ...beyond, limit);
  return withTags(
    db,
    rows.map((row) => toSession(row as Row)),
  );
}

/** What an overview needs of a session. */
export type SessionLine = Pick<
  Session,
  "source" | "id" | "title" | "path" | "turns" | "bytes" | "updatedAt" | "repository" | "workspace"
>;

/**
 * Those whose files are there, most recently active first. As arrays, and little of each: thousands of whole sessions take
 * three times as long.
 */
export function findSessionLines(db: Database, filter: Pick<SessionFilter, "sources">): SessionLine[] {
  const { where, values } = compileFilter(filter);
  const select = db.prepare(
    `SELECT source, vendor_id, title, path, turn_count, bytes, updated_at, repository, cwd FROM sessions s
      WHERE vanished_at IS NULL ${where && `AND ${where}`} ${BY_ACTIVITY}`,
  );
  select.setReturnArrays(true);
  return (select.all(...values) as unknown as LineColumns[]).map(
    ([source, id, title, path, turns, bytes, updatedAt, repository, workspace]) => ({
      ...{ source, id, title, path, turns, bytes },
      ...(updatedAt !== null && { updatedAt }),
      ...(repository !== null && { repository }),
      ...(workspace !== null && { workspace }),
    }),
  );
}

type LineColumns = readonly [
  source: string,
  id: string,
  title: string,
  path: string,
  turns: number,
  bytes: number,
  updatedAt: string | null,
  repository: string | null,
  workspace: string | null,
];

/** By the key of its rows. */
export function findSession(db: Database, id: string): Session | undefined {
  const row = db.prepare(`SELECT ${COLUMNS} FROM sessions s WHERE s.id = ?`).get(id);
  return row && withTags(db, [toSession(row as Row)])[0];
}

export function countSessions(db: Database, filter: SessionFilter): number {
  addFilterFunctions(db);
  const { where, values } = compileFilter(filter);
  const row = db.prepare(`SELECT count(*) AS n FROM sessions s ${where && `WHERE ${where}`}`).get(...values);
  return Number(row?.n);
}

/** The worst that is known of each session, by the path of its file; sessions in good order are not among them. */
export function worstProblems(db: Database): Map<string, Severity> {
  const rows = db
    .prepare(
      "SELECT s.path, max(p.severity = 'damage') AS damaged FROM problems p JOIN sessions s ON s.id = p.session_id WHERE p.severity <> 'oddity' GROUP BY p.session_id",
    )
    .all();
  return new Map(rows.map(({ path, damaged }) => [String(path), damaged === 1 ? "damage" : "trouble"]));
}

/** Turns by age in whole periods of so many milliseconds, counted back from `until`; the youngest at 0. */
export function countTurnsByAge(
  db: Database,
  period: { readonly until: Date; readonly ms: number; readonly count: number },
  sources?: readonly string[],
): number[] {
  const { until, ms, count } = period;
  const since = new Date(until.getTime() - count * ms);
  const { where, values } = compileFilter(sources ? { sources } : {});
  // The index by name: it has all that is asked here, while the table itself holds the text of the turns.
  const rows = db
    .prepare(
      `SELECT CAST((unixepoch(?, 'subsec') - unixepoch(t.timestamp, 'subsec')) * 1000 / ? AS INTEGER) AS age, count(*) AS turns
         FROM turns t INDEXED BY idx_turns_time
        WHERE t.timestamp > ? AND t.timestamp <= ?
          ${where && `AND t.session_id IN (SELECT s.id FROM sessions s WHERE ${where})`}
          AND NOT EXISTS (SELECT 1 FROM turn_copies c WHERE c.session_id = t.session_id AND c.turn_index = t.turn_index)
        GROUP BY age`,
    )
    .all(until.toISOString(), ms, since.toISOString(), until.toISOString(), ...values);
  const turns = new Array<number>(count).fill(0);
  for (const row of rows) turns[Number(row.age)] = Number(row.turns);
  return turns;
}

/** Field by field: thousands of rows are read at once, and putting each together from pieces takes twice as long. */
export function toSession(row: Row): Session {
  const session: { -readonly [Field in keyof Session]: Session[Field] } = {
    source: row.source as string,
    id: row.vendor_id as string,
    title: row.title as string,
    turns: row.turn_count as number,
    problems: row.problem_count as number,
    models: JSON.parse(row.models as string) as string[],
    path: row.path as string,
    bytes: row.bytes as number,
  };
  if (row.summary !== row.title && row.summary !== null) session.name = row.summary as string;
  if (row.cwd !== null) session.workspace = row.cwd as string;
  if (row.repository !== null) session.repository = row.repository as string;
  if (row.repository_evidence === "folder") session.repositoryFrom = "folder";
  if (row.branch !== null) session.branch = row.branch as string;
  if (row.created_at !== null) session.createdAt = row.created_at as string;
  if (row.updated_at !== null) session.updatedAt = row.updated_at as string;
  if (row.producer !== null) session.producer = row.producer as string;
  if (row.user_name !== null) session.userName = row.user_name as string;
  if (row.agent_name !== null) session.agentName = row.agent_name as string;
  if (row.parent_id !== null) session.parent = toParent(row);
  if (row.parent_evidence === "turns") session.parentFrom = "turns";
  if (row.from_id !== null) session.handedFrom = toHandedFrom(row);
  if (row.vanished_at !== null) session.vanishedAt = row.vanished_at as string;
  // Of one that is gone nothing is left that its program could continue.
  else if (row.resume !== null) session.resume = row.resume as string;
  return session;
}

const toHandedFrom = (row: Row): HandedFrom => ({
  source: row.from_source as string,
  id: row.from_id as string,
  ...(row.from_title !== null && { title: row.from_title as string }),
});

const toParent = (row: Row): Parent => ({
  id: row.parent_id as string,
  kind: row.parent_kind as Parent["kind"],
  ...(row.parent_title !== null && { title: row.parent_title as string }),
});
