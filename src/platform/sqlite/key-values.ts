/** Changes a few values of another program's key-value database in one short transaction. */
import { closeSync, copyFileSync, fchmodSync, fsyncSync, openSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { giveFile, ownerOf } from "../disk/ownership.ts";
import { type Database, refusePipes, transaction } from "./sqlite.ts";
import { peek } from "./untouched.ts";

/** By their keys; null where there is none. What is not text, or has bytes in it that are none, is given as a blob or number, as it is. */
export type Values = ReadonlyMap<string, unknown>;

/** Its owner waits one second for us at most, and so we do not wait long for it either. */
const PATIENCE_MS = 300;

/** Looks without leaving a trace. */
export const readValues = (path: string, table: string, keys: readonly string[]): Values =>
  peek(path, (db) => selectValues(db, table, keys));

/** `decide` sees the values under the write lock and says which of them change; text is always stored as text. */
export function changeValues(
  path: string,
  table: string,
  keys: readonly string[],
  decide: (values: Values) => ReadonlyMap<string, string | Uint8Array | null>,
): void {
  withLock(path, (db) => {
    for (const [key, value] of decide(selectValues(db, table, keys))) {
      if (value === null) db.prepare(`DELETE FROM "${table}" WHERE key = ?`).run(key);
      else db.prepare(`INSERT OR REPLACE INTO "${table}" (key, value) VALUES (?, ?)`).run(key, value);
    }
  });
}

/** A copy of the file as it is between two writes, of the same owner, safe on the disk when this returns. */
export function copyBetweenWrites(path: string, to: string): void {
  withLock(path, () => copyFileSync(path, to));
  const stats = statSync(path);
  const owner = ownerOf(stats);
  const fd = openSync(to, "r+");
  try {
    if (owner) giveFile(fd, owner);
    fchmodSync(fd, stats.mode & 0o7777);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function withLock(path: string, work: (db: Database) => void): void {
  refusePipes(path);
  const url = pathToFileURL(path);
  url.search = "mode=rw"; // one that is gone is not made anew
  const db = new DatabaseSync(url, { timeout: PATIENCE_MS });
  try {
    transaction(db, () => work(db));
  } finally {
    db.close();
  }
}

export function selectValues(db: Database, table: string, keys: readonly string[]): Values {
  const find = db.prepare(`SELECT value FROM "${table}" WHERE key = ?`);
  const isSame = db.prepare(`SELECT value = ? AS same FROM "${table}" WHERE key = ?`);
  const findBytes = db.prepare(`SELECT CAST(value AS BLOB) AS bytes FROM "${table}" WHERE key = ?`);
  return new Map(
    keys.map((key) => {
      const value = find.get(key)?.value ?? null;
      // Bytes that are no text come as U+FFFD, and would be written back as that.
      const isLossy =
        typeof value === "string" && value.includes("\ufffd") && isSame.get(value, key)?.same !== 1;
      return [key, isLossy ? (findBytes.get(key)?.bytes ?? null) : value];
    }),
  );
}
