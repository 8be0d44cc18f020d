/**
 * Copies the rows of sessions that were not found again into a new store, because nothing on disk can recreate them.
 */
import type { SessionKey } from "../model/values/id.ts";
import { memberOf } from "../model/values/member.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { createContextItems } from "./context-items.ts";
import { createFolderRows, isGone } from "./folder-rows.ts";
import { createSearchIndex, FIRST_TEXT_ID, turnContent } from "./search/index.ts";
import type { SessionStore } from "./session-store.ts";
import { CHILD_TABLES } from "./session-writer.ts";
import { createTimeIds } from "./time-ids.ts";

type Row = Readonly<Record<string, string | number | null>>;

export interface CarryOverOptions {
  /**
   * What happens to a session that was not found: its rows are copied and marked as gone, dropped, or copied unchanged.
   */
  readonly fateOf: (absent: { source: string; path: string }) => "keep" | "remove" | "leave";
  /** Since when they are gone, as far as the old store does not know. */
  readonly goneSince: string;
}

/** How many are gone that were not gone before. */
export interface CarriedOver {
  readonly kept: number;
  readonly removed: number;
  readonly vanished: readonly SessionKey[];
}

/** Both must be of the newest schema. Sessions that the new store has, from the disk or from the vault, are left out. */
export function carryOver(old: Database, store: SessionStore, options: CarryOverOptions): CarriedOver {
  const here = new Set(keysOf(store.db).map(({ key }) => key));
  const one = old.prepare("SELECT * FROM sessions WHERE id = ?");
  const absent = keysOf(old)
    .filter(({ key }) => !here.has(key))
    .map(({ id }) => one.get(id) as Row)
    .map((session) => ({
      session,
      fate: options.fateOf({ source: String(session.source), path: String(session.path) }),
    }));
  const wanted = absent.filter(({ fate }) => fate !== "remove");
  bring(
    old,
    store,
    wanted.map(({ session, fate }) =>
      fate === "leave" ? session : { ...session, vanished_at: session.vanished_at ?? options.goneSince },
    ),
  );
  carryBirths(old, store);
  carryFolders(old, store);
  const isNews = ({ session }: { session: Row }): boolean => session.vanished_at === null;
  bringContextItems(old, store);
  const kept = wanted.filter((one) => one.fate === "keep" && isNews(one));
  const removed = absent.filter(({ fate }) => fate === "remove");
  const vanished = [...kept, ...removed].map(({ session }) => ({
    source: String(session.source),
    id: String(session.vendor_id),
  }));
  return { kept: kept.length, removed: removed.length, vanished };
}

/** A file that was made anew since is no younger session. */
function carryBirths(old: Database, { db }: SessionStore): void {
  const set = db.prepare("UPDATE sessions SET born_ms = ?1 WHERE id = ?2 AND born_ms > ?1");
  for (const { id, born_ms } of old
    .prepare("SELECT id, born_ms FROM sessions WHERE born_ms IS NOT NULL")
    .all())
    set.run(born_ms ?? null, id ?? null);
}

/** What was known of folders that are gone. */
function carryFolders(old: Database, store: SessionStore): void {
  const now = new Map(
    createFolderRows(store.db)
      .all()
      .map((row) => [row.folder, row]),
  );
  const known = createFolderRows(old)
    .all()
    .filter(({ folder, repository }) => {
      const row = now.get(folder);
      return repository !== null && (row === undefined || isGone(row));
    });
  store.setFolders(known);
}

/** Those whose origin could not be read this time; one that could has been noted. */
function bringContextItems(old: Database, { db }: SessionStore): void {
  const items = createContextItems(db);
  for (const whose of ["own", "vendors"] as const)
    if (items.mark(whose) === undefined) items.copyFrom(old, whose);
}

/** Of all at once: a store that is being built has no index to ask for each. */
const keysOf = (db: Database): { id: string; key: string }[] =>
  db.prepare("SELECT id, source || ':' || vendor_id AS key FROM sessions").all() as unknown as {
    id: string;
    key: string;
  }[];

/** Writes these sessions with all that belongs to them. */
function bring(
  old: Database,
  { db, idFor, begin, commit, rollback }: SessionStore,
  lost: readonly Row[],
): void {
  if (lost.length === 0) return;
  const index = createSearchIndex(db);
  const insertSession = inserter(db, "sessions", ["number"]);
  const ids = {
    turns: createTimeIds(db, "turns"),
    search_texts: createTimeIds(db, "search_texts", { first: FIRST_TEXT_ID }),
  };
  const children = CHILD_TABLES.map((table) => ({
    table,
    // Their own numbers may be taken by now.
    insert: inserter(db, table, Object.hasOwn(ids, table) ? [] : ["id"]),
    of: old.prepare(`SELECT * FROM ${table} WHERE session_id = ?`),
  }));
  begin();
  try {
    for (const session of lost) {
      const { source, vendor_id, path } = session;
      const id = idFor({ source: String(source), id: String(vendor_id), path: String(path) });
      insertSession({ ...session, id });
      for (const { table, insert, of } of children)
        for (const row of of.all(String(session.id)) as Row[]) {
          const number =
            table === "turns" || table === "search_texts"
              ? { id: ids[table].of(row.timestamp ?? session.updated_at ?? undefined) }
              : {};
          const rowid = insert({ ...row, ...number, session_id: id });
          if (table === "turns") index.add(rowid, contentOf(row), String(row.more ?? ""));
          if (table === "search_texts") index.addText(rowid, String(row.content));
        }
    }
    index.flush();
    commit();
  } catch (error) {
    rollback();
    throw error;
  }
}

const contentOf = (turn: Row): string =>
  turnContent(String(turn.user_message ?? ""), String(turn.assistant_response ?? ""));

/** Inserts whole rows of a table, some columns apart; gives back the row's number. */
function inserter(db: Database, table: string, without: readonly string[] = []): (row: Row) => number {
  const columns = db
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map((column) => String(column.name))
    .filter((name) => !without.includes(name));
  const insert = db.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  return (row) => Number(insert.run(...columns.map((name) => memberOf(row, name) ?? null)).lastInsertRowid);
}
