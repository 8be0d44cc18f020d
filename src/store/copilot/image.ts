/** Saves and restores all rows that Copilot CLI's own store has of one session, including those that are in no log. */
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { ownedBy } from "./search-places.ts";
import { LIVE_TABLES, TABLES } from "./tables.ts";

type Value = string | number | bigint | null | Uint8Array;
type WholeRow = Readonly<Record<string, Value>>;
/** By table, every column, with the row's own number. */
export type RowImage = Readonly<Record<string, readonly WholeRow[]>>;

const LIVE: ReadonlySet<string> = new Set(LIVE_TABLES);
/** The session first: the rows of the others refer to it. */
const ALL = [...TABLES, ...LIVE_TABLES.map((name) => ({ name, owner: "session_id" }))];

export function takeImage(db: Database, id: string): RowImage {
  return Object.fromEntries(
    ALL.map((table) => {
      const select = db.prepare(`SELECT rowid AS rowid, * FROM ${table.name} WHERE ${ownedBy(table)}`);
      select.setReadBigInts(true);
      return [table.name, select.all(id) as WholeRow[]];
    }),
  );
}

export const isEmptyImage = (image: RowImage): boolean =>
  Object.values(image).every((rows) => rows.length === 0);

/** Within a transaction. Rows that only the program writes are added where they are missing, and none of them goes. */
export function putImageBack(db: Database, id: string, image: RowImage): void {
  // The row of the session goes and comes back, while others refer to it.
  db.exec("PRAGMA defer_foreign_keys = ON");
  for (const table of TABLES) db.prepare(`DELETE FROM ${table.name} WHERE ${ownedBy(table)}`).run(id);
  for (const { name } of ALL) {
    const ownerOf = db.prepare(`SELECT * FROM ${name} WHERE rowid = ?`);
    for (const row of image[name] ?? []) {
      const there = row.rowid === undefined ? undefined : ownerOf.get(row.rowid);
      if (there && LIVE.has(name) && there.session_id === id) continue;
      insert(db, name, there ? withoutNumber(row) : row);
    }
  }
}

/** Its number was given to another since; nothing refers to it. */
function withoutNumber({ rowid, ...cells }: WholeRow): WholeRow {
  return Object.fromEntries(
    Object.entries(cells).filter(([name, value]) => name !== "id" || value !== rowid),
  );
}

function insert(db: Database, table: string, row: WholeRow): void {
  // A number of its own is the row's number already.
  const { rowid, ...cells } = row;
  const all = cells.id === rowid || rowid === undefined ? cells : row;
  const names = Object.keys(all);
  db.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`).run(
    ...Object.values(all),
  );
}
