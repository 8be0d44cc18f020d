/** The one place that opens SQLite files. */
import { DatabaseSync } from "node:sqlite";

/** Opens a vendor's database for one short look: read-only, no waiting for locks, closed before returning. */
export function peek<T>(path: string, look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 250 });
  try {
    return look(db);
  } finally {
    db.close();
  }
}
