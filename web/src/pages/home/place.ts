/** Where a session's work was, in a few words. */
import { line } from "../../lib/titles.ts";
import { folderName } from "../sessions/filters.ts";
import type { SessionRow } from "../sessions/session-query.ts";

export const repositoryOf = ({ repository, workspace }: SessionRow): string | null =>
  repository ?? (workspace === null ? null : folderName(workspace));

/** "storefront @ fix/coupon" */
export function placeOf(session: SessionRow): string | null {
  const repository = repositoryOf(session);
  if (repository === null) return session.branch === null ? null : line(session.branch);
  return line(session.branch === null ? repository : `${repository} @ ${session.branch}`);
}
