/** Brings a database to the newest schema, each step and its journal row in one transaction. */
import { AppError } from "../model/errors.ts";
import { type Database, transaction } from "../platform/sqlite/sqlite.ts";
import type { Migration } from "./migration.ts";

export function migrate(
  db: Database,
  migrations: readonly Migration[],
  name: string,
  now: () => Date,
  /** Called in the same transaction when the database was empty. */
  onNew: () => void = () => undefined,
): void {
  const known = new Set(migrations.map((migration) => migration.id));
  // Looking first keeps the everyday start free of writes.
  const done = appliedIn(db);
  if (done.length === migrations.length && done.every((id) => known.has(id))) return;
  transaction(db, () => {
    db.exec("CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL)");
    const applied = new Set(appliedIn(db));
    const newer = [...applied].filter((id) => !known.has(id));
    if (newer.length > 0) {
      throw new AppError(
        "store-newer",
        `${name} was written by a newer Rethread (${newer.join(", ")})`,
        "Update Rethread; this version does not change the file",
      );
    }
    for (const migration of migrations) {
      if (applied.has(migration.id)) continue;
      migration.up(db);
      db.prepare("INSERT INTO migrations VALUES (?, ?)").run(migration.id, now().toISOString());
    }
    if (applied.size === 0) onNew();
  });
}

function appliedIn(db: Database): string[] {
  const table = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").get();
  if (!table) return [];
  return db
    .prepare("SELECT id FROM migrations ORDER BY id")
    .all()
    .map((row) => String(row.id));
}
