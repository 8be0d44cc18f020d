/** What an index run did, in two lines at most. */
import type { IndexReport } from "../../app/app.ts";
import { amount, bytes, plural } from "./measure.ts";

export function printIndexReport(report: IndexReport, isDemo: boolean): string[] {
  const { indexed, unchanged, removed, withProblems, bytesRead, seconds } = report;
  const speed = seconds > 0 && bytesRead > 0 ? `, ${bytes(bytesRead)} in ${seconds.toFixed(1)} s` : "";
  const done = `Indexed ${plural(indexed, "session", "sessions")}${speed}; ${amount(unchanged)} unchanged, ${amount(removed)} removed.`;
  if (withProblems === 0) return [done];
  return [
    done,
    `${amount(withProblems)} of those read have problems: rethread doctor${isDemo ? " --demo" : ""}`,
  ];
}
