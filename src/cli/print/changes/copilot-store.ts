/** Prints what a rebuild of Copilot CLI's own store changed or would change, and how to restore it. */
import type { CopilotStoreReport } from "../../../app/contract.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { memberOf } from "../../../model/values/member.ts";
import { amount, bytes, plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { type Column, toTable } from "../terminal/table.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly isDemo: boolean;
}

export function printCopilotReport(report: CopilotStoreReport, dryRun: boolean, page: Page): string[] {
  const demo = page.isDemo ? " --demo" : "";
  const { unreadable, backup } = report;
  return [
    summary(report, dryRun),
    ...rows(report, page),
    ...(lost(report) > 0
      ? [`${amount(lost(report))} of the removed rows can only be written again by Copilot CLI itself.`]
      : []),
    ...(unreadable > 0
      ? [
          `${plural(unreadable, "session", "sessions")} cannot be read now, so their rows are kept: rethread doctor --source copilot-cli${demo}`,
        ]
      : []),
    ...(backup === undefined ? [] : wayBack(backup, demo)),
  ];
}

export const printRestored = (from: string, backup: string, { isDemo }: Page): string[] => [
  `Copilot CLI's store was restored from ${from}.`,
  ...wayBack(backup, isDemo ? " --demo" : ""),
];

function summary(report: CopilotStoreReport, dryRun: boolean): string {
  const { indexed, unchanged, removed, bytesRead, seconds } = report;
  const speed = `${bytes(bytesRead)} in ${seconds.toFixed(1)} s`;
  if (indexed + removed === 0)
    return `Copilot CLI's store matches its ${plural(unchanged, "session", "sessions")}; nothing to change (${speed}).`;
  const changed = `${plural(indexed, "session", "sessions")} ${dryRun ? "would change" : "changed"}`;
  const gone =
    removed > 0
      ? `, ${amount(removed)} ${dryRun ? "would be removed" : "removed"} because their files are gone`
      : "";
  const end = dryRun ? ". Nothing was written." : ` (${speed}).`;
  return `Copilot CLI's store: ${changed}${gone}, ${amount(unchanged)} unchanged${end}`;
}

type CountRow = [table: string, count: CopilotStoreReport["tables"][string]];

const COLUMNS: readonly Column<CountRow>[] = [
  { head: "TABLE", text: ([table]) => table },
  { head: "ADDED", align: "right", text: ([, { added }]) => amount(added) },
  { head: "UPDATED", align: "right", text: ([, { updated }]) => amount(updated) },
  { head: "REMOVED", align: "right", text: ([, { removed }]) => amount(removed) },
];

function rows({ tables }: CopilotStoreReport, { columns, style }: Page): string[] {
  const counts = Object.entries(tables);
  return counts.length === 0 ? [] : ["", ...toTable(counts, COLUMNS, columns, style.dim), ""];
}

/** Of tables that no log fills. */
const lost = ({ tables }: CopilotStoreReport): number =>
  ["assistant_usage_events", "forge_trajectory_events"].reduce(
    (sum, table) => sum + (memberOf(tables, table)?.removed ?? 0),
    0,
  );

const wayBack = (backup: string, demo: string): string[] => [
  "To restore the state before this:",
  `  ${shellLine`rethread index --copilot --restore ${backup}`}${demo}`,
];
