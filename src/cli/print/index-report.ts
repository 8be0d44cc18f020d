/** What an index run did, in three lines at most. */
import type { IndexReport } from "../../app/app.ts";
import { amount, bytes, plural } from "./measure.ts";

export function printIndexReport(report: IndexReport, isDemo: boolean): string[] {
  const { indexed, unchanged, removed, kept, archived, withProblems, bytesRead, seconds } = report;
  const speed = seconds > 0 && bytesRead > 0 ? `, ${bytes(bytesRead)} in ${seconds.toFixed(1)} s` : "";
  const done = `Indexed ${plural(indexed, "session", "sessions")}${speed}; ${amount(unchanged)} unchanged, ${goneGist(removed, kept)}.`;
  const copies =
    archived === 0 ? [] : [`Archived ${plural(archived, "session", "sessions")}: copies are in the vault.`];
  if (withProblems === 0) return [done, ...copies];
  return [
    done,
    ...copies,
    `${amount(withProblems)} of those read have problems: rethread doctor${isDemo ? " --demo" : ""}`,
  ];
}

/** Sessions whose files are gone stay in the store unless people want it otherwise. */
function goneGist(removed: number, kept: number): string {
  if (kept === 0) return `${amount(removed)} removed`;
  const rest = removed - kept;
  return `${amount(kept)} gone but kept${rest > 0 ? `, ${amount(rest)} removed` : ""}`;
}
