/** Loads the session and text of found rows. */
import type { Role } from "../../model/session/role.ts";
import { splitMore } from "../../model/session/turn-text.ts";
import { prepared } from "../../platform/sqlite/prepared.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { FIRST_TEXT_ID } from "./index.ts";

export interface FoundRow {
  readonly id: number;
  readonly session: string;
  /** "turn", "session" (title, folder, files), a section of a checkpoint, or "workspace_artifact" (a file beside the log). */
  readonly where: string;
  /** What it is in beside the log: `checkpoint 2`, `plan.md`, `files/notes.md`. */
  readonly label?: string;
  readonly updatedAt?: string;
}

/** The texts of a row, each to be looked at on its own. */
export interface RowText {
  readonly turn?: number;
  /** When the turn was asked. */
  readonly time?: string;
  /** What the user asked; empty when it is no turn. */
  readonly user: string;
  readonly answer: string;
  /** What was said on the way, and what tools ran and gave back. */
  readonly more: string;
}

/** Only what this role said of it: the others' part is empty. */
export function saidBy(role: Role, { user, answer, more, ...rest }: RowText): RowText {
  if (role === "user") return { ...rest, user, answer: "", more: "" };
  const { agent, tools } = splitMore(more);
  return { ...rest, user: "", answer: role === "tool" ? "" : answer, more: role === "tool" ? tools : agent };
}

const LISTED = "IN (SELECT value FROM json_each(?))";

/** Turns and other texts lie in tables of their own, and share the ids of the index. */
export const TABLES = ["turns", "search_texts"] as const;
export type Table = (typeof TABLES)[number];

/** With the table as `x` and its session as `s`. */
export const FOUND_COLUMNS: Readonly<Record<Table, string>> = {
  turns: "x.id, x.session_id, 'turn' AS source_type, NULL AS label, s.updated_at",
  search_texts: "x.id, x.session_id, x.source_type, x.label, s.updated_at",
};

export const toFoundRow = (row: Readonly<Record<string, unknown>>): FoundRow => ({
  id: Number(row.id),
  session: String(row.session_id),
  where: String(row.source_type),
  ...(typeof row.label === "string" && { label: row.label }),
  ...(typeof row.updated_at === "string" && { updatedAt: row.updated_at }),
});

/** Everything searchable in the sessions of these rows. */
export function readFamilies(db: Database, ids: readonly number[]): FoundRow[] {
  const [turns, texts] = both(ids);
  const rows = (table: Table) =>
    `SELECT ${FOUND_COLUMNS[table]} FROM ${table} x JOIN sessions s ON s.id = x.session_id
      WHERE x.session_id IN (SELECT session_id FROM turns WHERE id ${LISTED}
                             UNION SELECT session_id FROM search_texts WHERE id ${LISTED})`;
  return prepared(db, `${rows("turns")} UNION ALL ${rows("search_texts")}`)
    .all(turns, texts, turns, texts)
    .map(toFoundRow);
}

/** What was never said by the role is not read at all: what tools gave back is long. */
const SAID: Readonly<Record<Role | "anyone", string>> = {
  anyone: "user_message, assistant_response, more",
  user: "user_message, NULL AS assistant_response, NULL AS more",
  assistant: "NULL AS user_message, assistant_response, more",
  tool: "NULL AS user_message, NULL AS assistant_response, more",
};

export function readTexts(db: Database, ids: readonly number[], role?: Role): Map<number, RowText> {
  const rows = prepared(
    db,
    `SELECT id, turn_index, timestamp, ${SAID[role ?? "anyone"]} FROM turns WHERE id ${LISTED}
       UNION ALL
       SELECT id, NULL, NULL, NULL, content, NULL FROM search_texts WHERE id ${LISTED}`,
  ).all(...both(ids));
  return new Map(
    rows.map((row) => {
      const text: RowText = {
        user: String(row.user_message ?? ""),
        answer: String(row.assistant_response ?? ""),
        more: String(row.more ?? ""),
        ...(row.turn_index !== null && { turn: Number(row.turn_index) }),
        ...(typeof row.timestamp === "string" && { time: row.timestamp }),
      };
      return [Number(row.id), role ? saidBy(role, text) : text];
    }),
  );
}

export interface HitSession {
  readonly source: string;
  readonly id: string;
  readonly title: string;
  readonly workspace?: string;
  readonly updatedAt?: string;
  readonly resume?: string;
  /** Its files are gone since then. */
  readonly vanishedAt?: string;
}

export function readSessions(db: Database, ids: readonly string[]): Map<string, HitSession> {
  const rows = prepared(
    db,
    `SELECT id, source, vendor_id, title, cwd, updated_at, resume, vanished_at FROM sessions WHERE id ${LISTED}`,
  ).all(JSON.stringify(ids));
  return new Map(
    rows.map((row) => [
      String(row.id),
      {
        source: String(row.source),
        id: String(row.vendor_id),
        title: String(row.title),
        ...(row.cwd !== null && { workspace: String(row.cwd) }),
        ...(row.updated_at !== null && { updatedAt: String(row.updated_at) }),
        ...(row.resume !== null && row.vanished_at === null && { resume: String(row.resume) }),
        ...(row.vanished_at !== null && { vanishedAt: String(row.vanished_at) }),
      },
    ]),
  );
}

/** Neither table has to look for what only the other can have. */
const both = (ids: readonly number[]): [string, string] => [
  JSON.stringify(ids.filter((id) => id < FIRST_TEXT_ID)),
  JSON.stringify(ids.filter((id) => id >= FIRST_TEXT_ID)),
];
