/** Makes the bytes of a key-value database: one table of keys and texts, as editors keep their state in. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Built in a file of its own and read back, so that the caller decides where and how the bytes are written. */
export function toKeyValueDb(table: string, rows: Readonly<Record<string, string>>): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "rethread-"));
  try {
    const path = join(folder, "state.db");
    const db = new DatabaseSync(path);
    try {
      db.exec(`
        PRAGMA user_version = 1;
        BEGIN;
        CREATE TABLE "${table}" (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
      `);
      const insert = db.prepare(`INSERT INTO "${table}" (key, value) VALUES (?, ?)`);
      for (const [key, value] of Object.entries(rows)) insert.run(key, value);
      db.exec("COMMIT");
    } finally {
      db.close();
    }
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
