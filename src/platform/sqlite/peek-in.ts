/**
 * Reads a SQLite database of any SessionFs. On disk, SQLite opens the file itself, which is the only way to see it
 * between two writes of its program. Elsewhere its bytes are copied to a temporary folder first.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../disk/temporary.ts";
import type { SessionFs } from "../fs/session-fs.ts";
import type { Database } from "./sqlite.ts";
import { peek } from "./untouched.ts";

/** Calls `look` with the database in a read transaction. Neither it nor anything beside it changes. */
export async function peekIn<T>(fs: SessionFs, path: string, look: (db: Database) => T): Promise<T> {
  if (fs.isDisk) return peek(path, look);
  const folder = makeTemporaryFolder();
  try {
    const copy = join(folder, "copy.db");
    writeFileSync(copy, await fs.read(path));
    // What SQLite has not yet put into the database itself, and what it has yet to undo.
    for (const suffix of ["-wal", "-journal"])
      if (await fs.exists(path + suffix)) writeFileSync(copy + suffix, await fs.read(path + suffix));
    return peek(copy, look);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
