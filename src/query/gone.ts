/** Explains that a session is gone when only the store still knows it. */
import { AppError } from "../model/errors.ts";
import { matchName } from "../model/values/id.ts";
import type { SessionStore } from "../store/session-store.ts";
import { findVanished } from "../store/vanished-rows.ts";

/** What to say about a session of that name whose files are gone, of which the store alone still knows something. */
export function explainGone(
  { db }: Pick<SessionStore, "db">,
  name: string,
  sources: readonly string[],
): AppError | undefined {
  const ranked = findVanished(db)
    .map((session) => ({ session, rank: matchName(name, session, sources) }))
    .filter((each) => each.rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  const gone = ranked[0]?.session;
  if (!gone) return undefined;
  return new AppError(
    "session-gone",
    `The files of "${gone.title}" (${gone.source}:${gone.id}) have been gone since ${gone.vanishedAt.slice(0, 10)}, and it was not archived; only the store's record of it is left`,
    {
      say: "Read the record",
      remedy: {
        action: "sql",
        args: {
          sql: `SELECT turn_index, user_message, assistant_response FROM turns WHERE session_id = '${gone.key.replaceAll("'", "''")}'`,
        },
      },
    },
  );
}
