/** The files that a session changed, as the agent spelled them, with the lines that its recorded edits add up to. */
import type { ChangedFile } from "../model/session/changed-files.ts";
import type { Artifact } from "../model/session/session.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

/** In the order of the turns. */
export function findChangedFiles(db: Database, { source, path }: Pick<Artifact, "source" | "path">) {
  const session = db
    .prepare(
      "SELECT id, cwd FROM sessions WHERE source = ? AND path = ? ORDER BY vanished_at IS NOT NULL LIMIT 1",
    )
    .get(source, path);
  const rows = db
    .prepare(
      `SELECT path, action, turn, lines_added, lines_removed FROM file_use
        WHERE session_id = ? AND action <> 'read' ORDER BY turn, path`,
    )
    .all(session ? String(session.id) : null);
  return {
    ...(typeof session?.cwd === "string" && { workspace: session.cwd }),
    files: rows.map(toChangedFile),
  };
}

const toChangedFile = (row: Record<string, unknown>): ChangedFile => ({
  path: String(row.path),
  action: String(row.action) as ChangedFile["action"],
  ...(row.turn !== null && { turn: Number(row.turn) }),
  ...(row.lines_added !== null && {
    lines: { added: Number(row.lines_added), removed: Number(row.lines_removed) },
  }),
});
