/** Copies a database to a single complete file, including its write-ahead log. */
import { DatabaseSync } from "node:sqlite";
import { copyInto, makeSingleFile } from "./sqlite.ts";
import { openCopy } from "./untouched.ts";

/** How many rows each table has; for people, and to compare two copies. */
export type RowCounts = Readonly<Record<string, number>>;

/** `to` is an empty file of ours. Throws where the copy is not sound. */
export async function copyDatabase(from: string, to: string): Promise<RowCounts> {
  const { db, close } = openCopy(from);
  let rows: RowCounts;
  try {
    rows = countRows(db);
    await copyInto(db, to);
  } finally {
    close();
  }
  makeSingleFile(to);
  const copied = inspectDatabase(to);
  if (JSON.stringify(copied) !== JSON.stringify(rows)) throw new Error(`${from} changed while it was copied`);
  return copied;
}

/** Throws where SQLite finds it damaged. */
export function inspectDatabase(path: string): RowCounts {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const verdict = String(db.prepare("PRAGMA integrity_check").get()?.integrity_check);
    if (verdict !== "ok") throw new Error(`${path} is damaged: ${verdict}`);
    return countRows(db);
  } finally {
    db.close();
  }
}

/** Of tables proper: those in which an index keeps itself count for nothing. */
function countRows(db: DatabaseSync): RowCounts {
  const names = db
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') ORDER BY name",
    )
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith("sqlite_"));
  return Object.fromEntries(
    names.map((name) => [
      name,
      Number(db.prepare(`SELECT count(*) AS count FROM "${name.replaceAll('"', '""')}"`).get()?.count),
    ]),
  );
}
