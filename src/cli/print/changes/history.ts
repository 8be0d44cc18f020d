/** Our writes as a table, and what their backups take. */
import type { BackupReport, Job, PastWrite, Pruned } from "../../../app/contract.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { shortId } from "../../../model/values/id.ts";
import { memberOf } from "../../../model/values/member.ts";
import { briefly, bytes, day, plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { oneLine, wrap } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly now: Date;
  readonly isDemo: boolean;
}

export function printHistory(
  writes: readonly PastWrite[],
  report: BackupReport,
  { columns, style, now, isDemo }: Page,
): string[] {
  if (writes.length === 0) return ["Rethread has not changed any session on this machine yet."];
  const table: Column<PastWrite>[] = [
    { head: "OPERATION", text: ({ operation }) => operation, paint: () => style.cyan },
    { head: "WHEN", text: ({ at }) => briefly(at, now), gives: 2 },
    { head: "WHAT", text: ({ kind, undoes }) => (undoes === undefined ? kind : `${kind} ${undoes}`) },
    {
      head: "STATE",
      text: ({ state }) => state,
      paint: ({ state }) => (state === "done" ? style.green : state === "undone" ? style.dim : style.red),
    },
    {
      head: "SESSION",
      // All of a short id, which is a name already, or nothing: a part of one names none.
      text: ({ session }) => shortId(session.id),
      gives: 3,
    },
    { head: "TITLE", text: (write) => oneLine(write.title) + partly(write), min: 10 },
    {
      head: "BACKUP",
      align: "right",
      text: ({ backup }) => (backup.stored === 0 ? "" : bytes(backup.stored)),
      gives: 1,
    },
    { head: "KEPT UNTIL", text: ({ backup }) => keptUntil(backup, now) },
  ];
  const demo = isDemo ? " --demo" : "";
  const waiting = writes.filter(({ backup }) => backup.until === "confirmed").length;
  const { operations, freed } = report.prunable;
  return [
    ...toTable(writes, table, columns, style.dim),
    "",
    `${plural(writes.length, "write", "writes")}; backups take ${bytes(report.stored)}.`,
    ...(waiting > 0
      ? [
          `${plural(waiting, "backup is", "backups are")} kept until the session is continued or the write is confirmed:`,
          `  ${style.cyan(`rethread history --confirm all${demo}`)}`,
        ]
      : []),
    ...(operations.length > 0
      ? [
          `${plural(operations.length, "backup has", "backups have")} expired (${bytes(freed)}):`,
          `  ${style.cyan(`rethread history --prune${demo}`)}`,
        ]
      : []),
  ];
}

/** What waits, or waited, in the background; nothing where nothing did. */
export function printJobs(jobs: readonly Job[], { columns, style, now }: Page): string[] {
  if (jobs.length === 0) return [];
  const paint = { waiting: style.yellow, running: style.yellow, done: style.green, cancelled: style.dim };
  const table: Column<Job>[] = [
    { head: "JOB", text: ({ id }) => id, paint: () => style.cyan },
    { head: "WHEN", text: ({ createdAt }) => briefly(createdAt, now), gives: 2 },
    {
      head: "STATE",
      text: ({ state }) => state,
      paint: ({ state }) => memberOf(paint, state) ?? style.red,
    },
    { head: "WROTE", text: ({ operations }) => oneLine(operations.join(" ")), gives: 1 },
    { head: "COMMAND", text: ({ command }) => oneLine(command), min: 16 },
  ];
  const told = jobs.flatMap((job) => {
    const line = remarkOn(job);
    return line === undefined ? [] : wrap(`${job.id}: ${line}`, columns - 2).map((text) => `  ${text}`);
  });
  return [...toTable(jobs, table, columns, style.dim), ...told, ""];
}

function remarkOn({ state, waitsFor, error, folder, command, operations }: Job): string | undefined {
  if (state === "waiting") return `waits for ${oneLine(waitsFor ?? "VS Code")}`;
  if (state === "failed" && error) return `${oneLine(error.message)} (${error.code}). ${oneLine(error.hint)}`;
  if (state !== "interrupted") return undefined;
  const again = `${shellLine`cd ${folder}`} && ${oneLine(command)}`;
  return operations.length === 0
    ? `its process ended before it did. Run it again: ${again}`
    : `its process ended after some of its writes, and did not make the others. Run it again for those: ${again}`;
}

/** Of a write that a crash left between two sessions. */
function partly({ became }: PastWrite): string {
  if (!became) return "";
  const count = (wanted: string): number => became.filter((each) => each.became === wanted).length;
  const mixed = count("mixed") > 0 ? `, ${count("mixed")} mixed` : "";
  return ` (${count("new")} of ${became.length} done${mixed})`;
}

/** How long a backup stays. */
function keptUntil({ until }: PastWrite["backup"], now: Date): string {
  if (until === undefined || until === "gone" || until === "confirmed") return until ?? "";
  return new Date(until) > now ? day(new Date(until), now) : "now";
}

export const printConfirmed = (operations: readonly string[]): string[] => [
  operations.length === 0
    ? "There was no write to confirm."
    : `Confirmed ${plural(operations.length, "write", "writes")}: ${operations.join(", ")}`,
];

export function printPruned({ operations, freed, left }: Pruned, isDone: boolean): string[] {
  if (operations.length === 0) return [`No backup has expired; all backups take ${bytes(left)}.`];
  const which = `${plural(operations.length, "backup", "backups")} (${operations.join(", ")})`;
  return isDone
    ? [`Removed ${which}: ${bytes(freed)} freed, ${bytes(left)} left.`]
    : [
        `Would remove ${which}: ${bytes(freed)} freed, ${bytes(left)} left. These writes could then no longer be undone.`,
      ];
}
