/** What an index run did, as JSON. */
import type { IndexReport, WatchReport } from "../../app/contract.ts";

/** `partial`: something could not be read at all. Problems inside a session that was read do not make it so. */
export type Outcome = "complete" | "partial" | "interrupted";

export function outcomeOf({ pending, unreadable }: Pick<IndexReport, "pending" | "unreadable">): Outcome {
  if (pending > 0) return "interrupted";
  return unreadable > 0 ? "partial" : "complete";
}

export const toIndexJson = (report: IndexReport | WatchReport) => ({
  ...("at" in report && { at: report.at.toISOString() }),
  outcome: outcomeOf(report),
  indexed: report.indexed,
  unchanged: report.unchanged,
  removed: report.removed,
  kept: report.kept,
  archived: report.archived,
  problems: report.withProblems,
  unreadable: report.unreadable,
  pending: report.pending,
  turns: report.turns,
  bytesRead: report.bytesRead,
  seconds: report.seconds,
});
