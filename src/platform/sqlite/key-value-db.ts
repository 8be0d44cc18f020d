/**
 * Creates and reads the bytes of databases, above all of key-value databases: one table of keys and texts, as editors
 * use for their state.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FileContent } from "../../model/image.ts";
import { makeTemporaryFolder } from "../disk/temporary.ts";

/** Built in a file of its own and read back, so that the caller decides where and how the bytes are written. */
export function toKeyValueDb(table: string, rows: Readonly<Record<string, string>>): Uint8Array {
  return inFile((path) => {
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
  });
}

/** A file as it will be written, as bytes. */
export function toFileBytes(content: FileContent): string | Uint8Array {
  if (typeof content === "string" || content instanceof Uint8Array) return content;
  return "sql" in content ? toDatabase(content.sql) : toKeyValueDb(content.table, content.rows);
}

/** The bytes of a database that such statements make. */
function toDatabase(sql: string): Uint8Array {
  return inFile((path) => {
    const db = new DatabaseSync(path);
    try {
      db.exec(sql);
    } finally {
      db.close();
    }
    return readFileSync(path);
  });
}

/** The texts in it. */
export function fromKeyValueDb(table: string, bytes: Uint8Array): Record<string, string> {
  return inFile((path) => {
    writeFileSync(path, bytes);
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const rows = db.prepare(`SELECT key, value FROM "${table}"`).all();
      return Object.fromEntries(
        rows.flatMap(({ key, value }) => (typeof value === "string" ? [[String(key), value]] : [])),
      );
    } finally {
      db.close();
    }
  });
}

function inFile<T>(work: (path: string) => T): T {
  const folder = makeTemporaryFolder();
  try {
    return work(join(folder, "state.db"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
