/** Takes the rows of sessions whose files are gone into a new store: nothing on disk could make them again. */
import type { Database } from "../platform/sqlite.ts";
import { createSearchIndex, FIRST_TEXT_ID, turnContent } from "./search-index.ts";
import type { SessionStore } from "./session-store.ts";
import { CHILD_TABLES } from "./session-writer.ts";

type Row = Readonly<Record<string, string | number | null>>;

/** Both must be of the newest schema. Sessions that the new store has, from the disk or from the vault, are left out. */
export function carryOver(old: Database, { db, idFor, begin, commit, rollback }: SessionStore): void {
  const gone = old.prepare("SELECT * FROM sessions WHERE vanished_at IS NOT NULL").all() as Row[];
  const isThere = db.prepare("SELECT 1 FROM sessions WHERE source = ? AND vendor_id = ?");
  const lost = gone.filter((session) => !isThere.get(String(session.source), String(session.vendor_id)));
  if (lost.length === 0) return;
  const index = createSearchIndex(db);
  const insertSession = inserter(db, "sessions");
  const lastText = db.prepare("SELECT max(id) AS id FROM search_texts").get()?.id;
  let text = Math.max(Number(lastText ?? 0) + 1, FIRST_TEXT_ID);
  const children = CHILD_TABLES.map((table) => ({
    table,
    // Their own numbers may be taken by now.
    insert: inserter(db, table, table === "search_texts" ? [] : ["id"]),
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
          const number = table === "search_texts" ? { id: text++ } : {};
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
  return (row) => Number(insert.run(...columns.map((name) => row[name] ?? null)).lastInsertRowid);
}
