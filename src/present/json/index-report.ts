/** What an index run did, as JSON. */
import type { CopilotStoreReport, IndexReport, WatchReport } from "../../app/contract.ts";
import { risksOf } from "./plan.ts";

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
  problemCount: report.withProblems,
  problems: report.withProblems,
  unreadable: report.unreadable,
  pending: report.pending,
  turns: report.turns,
  bytesRead: report.bytesRead,
  seconds: report.seconds,
});

/** Of Copilot CLI's own store. */
export function toCopilotStoreJson(report: CopilotStoreReport & { readonly dryRun: boolean }) {
  const { path, dryRun, unreadable, backup = null, ignored, ...facts } = report;
  const outcome: Outcome = unreadable > 0 ? "partial" : "complete";
  return {
    store: path,
    dryRun,
    outcome,
    unreadable,
    ...facts,
    problemCount: facts.problems,
    backup,
    risks: risksOf(toIgnoring(ignored)),
  };
}

export const toRestoredJson = ({
  path,
  file,
  backup,
  ignored,
}: {
  readonly path: string;
  readonly file: string;
  readonly backup: string;
  readonly ignored?: number;
}) => ({
  store: path,
  restored: file,
  backup,
  risks: risksOf(toIgnoring(ignored)),
});

/** The process that seems to use the store, as plans name those that they ignore. */
export const toIgnoring = (pid: number | undefined) => (pid === undefined ? {} : { ignoring: [{ pid }] });
