/** What an index run did: a line that counts, and one for whatever should not be overlooked. */
import type { IndexReport, WatchReport } from "../../../app/contract.ts";
import { amount, bytes, plural } from "../../../present/text/measure.ts";

export interface IndexCircumstances {
  readonly isDemo: boolean;
  readonly rebuild: boolean;
}

export function printIndexReport(report: IndexReport, { isDemo, rebuild }: IndexCircumstances): string[] {
  const { indexed, unchanged, removed, kept, archived, withProblems, unreadable, pending } = report;
  const command = (words: string): string => `rethread ${words}${isDemo ? " --demo" : ""}`;
  const counts = [
    `${amount(unchanged)} unchanged`,
    goneGist(removed, kept),
    ...(withProblems > 0 ? [`${amount(withProblems)} with problems`] : []),
  ];
  const lines = [
    `Indexed ${plural(indexed, "session", "sessions")}${paceGist(report)}; ${counts.join(", ")}.`,
  ];
  if (archived > 0)
    lines.push(`Archived ${plural(archived, "session", "sessions")}: copies are in the vault.`);
  if (unreadable > 0) {
    const what = plural(unreadable, "session or folder", "sessions or folders");
    lines.push(`Partly done: ${what} could not be read. See which: ${command("doctor")}`);
  } else if (withProblems > 0) lines.push(`See what is wrong: ${command("doctor")}`);
  if (pending > 0) {
    const left = `${plural(pending, "session is", "sessions are")} left`;
    lines.push(
      rebuild
        ? `Interrupted: ${left}, so the store was not replaced.`
        : `Interrupted: ${left}. Continue with: ${command("index")}`,
    );
  }
  return lines;
}

/** One refresh of a watched store. */
export function printRefresh(report: WatchReport): string {
  const { at, indexed, removed, turns, withProblems, unreadable } = report;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  const facts = [
    ...(indexed > 0 ? [plural(indexed, "session", "sessions"), plural(turns, "turn", "turns")] : []),
    ...(removed > 0 ? [`${amount(removed)} gone`] : []),
    ...(unreadable > 0 ? [`${amount(unreadable)} unreadable`] : []),
    ...(withProblems > unreadable ? [`${amount(withProblems)} with problems`] : []),
  ];
  return `${time}  ${facts.join(", ")}`;
}

function paceGist({ bytesRead, seconds }: IndexReport): string {
  return seconds > 0 && bytesRead > 0 ? `, ${bytes(bytesRead)} in ${seconds.toFixed(1)} s` : "";
}

/** Sessions whose files are gone stay in the store unless people want it otherwise. */
function goneGist(removed: number, kept: number): string {
  if (kept === 0) return `${amount(removed)} removed`;
  const rest = removed - kept;
  return `${amount(kept)} gone but kept${rest > 0 ? `, ${amount(rest)} removed` : ""}`;
}
