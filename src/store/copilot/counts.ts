/** How many turns of each session Copilot CLI's own store has. */
import { openKnown } from "./open.ts";

/** Sessions without turns included. Throws an `AppError` for a store that cannot be read. */
export function countVendorTurns(path: string): Map<string, number> {
  const { db, close } = openKnown(path, true);
  try {
    const rows = db
      .prepare(
        "SELECT s.id, count(t.id) AS turns FROM sessions s LEFT JOIN turns t ON t.session_id = s.id GROUP BY s.id",
      )
      .all();
    return new Map(rows.map((row) => [String(row.id), Number(row.turns)]));
  } finally {
    close();
  }
}
