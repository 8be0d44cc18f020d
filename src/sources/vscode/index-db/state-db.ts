/** VS Code's list of sessions: one row of a key-value database. It alone decides what the sessions view shows. */

import { isNewerThan } from "../../../model/session/newer.ts";
import { printed } from "../../../model/text/printed.ts";
import { inBrief } from "../../../model/values/json.ts";
import { isErrno, reasonOf, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { peekIn } from "../../../platform/sqlite/peek-in.ts";
import { SQLITE, sqliteCode, userVersionOf } from "../../../platform/sqlite/sqlite.ts";
import { isObject } from "../../log/jsonl.ts";

export const INDEX_KEY = "chat.ChatSessionStore.index";
export const TABLE = "ItemTable";

export interface IndexEntry {
  readonly id: string;
  readonly title?: string;
  /** Why the sessions view leaves it out although it is in the list. */
  readonly hidden?: string;
}

export type Index =
  /** Nothing is known: there is no database here (web builds keep the list in the browser). */
  | { readonly state: "unknown" }
  /** There is one, but it cannot be opened now. That says nothing about what is in it. */
  | { readonly state: "unavailable"; readonly reason: string }
  /** VS Code would throw the list away and start an empty one. */
  | { readonly state: "invalid"; readonly reason: string }
  /** A newer VS Code wrote it, and we do not know what its list says. */
  | { readonly state: "newer"; readonly reason: string }
  | { readonly state: "read"; readonly entries: readonly IndexEntry[] };

/** The row's value with SQLite's type of it; undefined when there is no such row. */
export interface IndexRow {
  readonly value: unknown;
  readonly type: string;
  /** What the database says of its own form. */
  readonly userVersion?: number;
}

/** The last ones that we know. */
const KNOWN = { database: 1, list: 1 };

/** Says why, where the database itself is of a newer form. */
export const whyNewerDatabase = (userVersion: number): string | undefined =>
  isNewerThan(userVersion, KNOWN.database) ? `the database has version ${userVersion}` : undefined;

/** How the row is got; tests have no database to open. */
export type ReadIndexRow = (database: string) => Promise<IndexRow | undefined>;

export const readIndexRow = (fs: SessionFs, database: string): Promise<IndexRow | undefined> =>
  peekIn(fs, database, (db) => {
    const userVersion = userVersionOf(db);
    // Whatever tables it has then.
    if (whyNewerDatabase(userVersion) !== undefined) return { value: null, type: "null", userVersion };
    const row = db
      .prepare(`SELECT value, typeof(value) AS type FROM ${TABLE} WHERE key = ?`)
      .get(INDEX_KEY) as { value: unknown; type: string } | undefined;
    return row && { value: row.value, type: row.type };
  });

/** Unknown where the file system holds no databases, such as a plan that is only looked at. */
export async function findIndex(fs: SessionFs, database: string): Promise<Index> {
  if (!fs.isDisk && !fs.hasDatabases) return { state: "unknown" };
  try {
    const { kind } = await fs.stat(database);
    if (kind === "folder") return { state: "unavailable", reason: "a folder is in its place" };
  } catch (error) {
    // Where the folder around it is closed, so are its sessions, and that is reported.
    const isAbsent = isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM");
    return isAbsent ? { state: "unknown" } : { state: "unavailable", reason: reasonOf(error) };
  }
  return readIndex(database, (path) => readIndexRow(fs, path));
}

/** SQLite's words for what is wrong with the content; all others are about getting at it. */
const DAMAGE: readonly (number | undefined)[] = [SQLITE.ERROR, SQLITE.CORRUPT, SQLITE.NOTADB];

export async function readIndex(database: string, readRow: ReadIndexRow): Promise<Index> {
  let row: IndexRow | undefined;
  try {
    row = await readRow(database);
  } catch (error) {
    const reason = reasonOf(error);
    const code = sqliteCode(error);
    // VS Code makes the table when it finds none.
    if (code === SQLITE.ERROR && /no such table/i.test(reason)) return { state: "read", entries: [] };
    if (DAMAGE.includes(code)) return { state: "invalid", reason };
    return { state: "unavailable", reason: code === SQLITE.BUSY ? "it is busy" : reason };
  }
  const newer = whyNewerDatabase(row?.userVersion ?? 0);
  if (newer !== undefined) return { state: "newer", reason: newer };
  return row ? toIndex(row) : { state: "read", entries: [] };
}

/** VS Code checks every entry, and one bad entry costs the whole list. */
export function toIndex({ value, type }: IndexRow): Index {
  if (type !== "text" || typeof value !== "string") {
    return { state: "invalid", reason: `it is stored as ${type}, not as text` };
  }
  let index: unknown;
  try {
    index = JSON.parse(value);
  } catch {
    return { state: "invalid", reason: "it is not valid JSON" };
  }
  if (isObject(index) && isNewerThan(index.version, KNOWN.list))
    return { state: "newer", reason: `the list has version ${printed(index.version)}` };
  if (!isObject(index) || index.version !== 1) return { state: "invalid", reason: "its version is not 1" };
  if (typeof index.entries !== "object" || index.entries === null) {
    return { state: "invalid", reason: "it has no entries" };
  }
  // VS Code reads these, and loses every chat that it adds to them.
  if (Array.isArray(index.entries)) return { state: "invalid", reason: "its entries have no ids" };
  const entries: IndexEntry[] = [];
  for (const [id, entry] of Object.entries(index.entries)) {
    const fault = faultOfEntry(entry);
    if (fault) return { state: "invalid", reason: `the entry ${id} ${fault}` };
    if (entry.isExternal !== true) entries.push(toEntry(id, entry));
  }
  return { state: "read", entries };
}

export function faultOfEntry(entry: unknown): string | undefined {
  if (!isObject(entry)) return "is not an object";
  if (typeof entry.sessionId !== "string") return "has no sessionId";
  if (typeof entry.title !== "string") return "has no title";
  return typeof entry.lastMessageDate === "number" ? undefined : "has no lastMessageDate";
}

function toEntry(id: string, entry: Record<string, unknown>): IndexEntry {
  const hidden =
    entry.initialLocation !== "panel"
      ? `its place is ${inBrief(entry.initialLocation ?? null)}, not the chat panel`
      : entry.isEmpty
        ? "it is marked as empty"
        : undefined;
  return { id, title: entry.title as string, ...(hidden !== undefined && { hidden }) };
}
