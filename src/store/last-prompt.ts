/** The latest prompt of a session, as far as a glance needs it. */
import type { SessionKey } from "../model/values/id.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

const ENOUGH = 1000;

export function findLastPrompt(db: Database, { source, id }: SessionKey): string | undefined {
  const row = db
    .prepare(
      `SELECT substr(t.user_message, 1, ${ENOUGH}) AS prompt
         FROM sessions s JOIN turns t ON t.session_id = s.id
        WHERE s.source = ? AND s.vendor_id = ? AND t.user_message <> ''
        ORDER BY s.updated_at DESC, t.turn_index DESC LIMIT 1`,
    )
    .get(source, id);
  return typeof row?.prompt === "string" ? row.prompt : undefined;
}
