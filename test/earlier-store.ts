/** The tables of a store as an earlier version made them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../src/platform/sqlite/sqlite.ts";
import type { Migration } from "../src/store/migration.ts";

const MIGRATIONS = join(import.meta.dirname, "../src/store/migrations");

/** Runs the migrations that came before this one, on an empty database. */
export async function makeEarlierStore(db: Database, next: string): Promise<void> {
  db.exec("CREATE TABLE migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL)");
  const names = readdirSync(MIGRATIONS).filter((name) => /^\d{4}-[a-z-]+\.ts$/.test(name) && name < next);
  for (const name of names.sort()) {
    const { default: migration } = (await import(join(MIGRATIONS, name))) as { default: Migration };
    migration.up(db);
    db.prepare("INSERT INTO migrations VALUES (?, '2026-11-01')").run(migration.id);
  }
}
