/** Answers about a hub as JSON. */
import type {
  DryRun,
  HubDeletion,
  PulledSession,
  PullReport,
  ShareReport,
  SyncProblem,
  SyncReport,
  SyncStatus,
} from "../../app/sync/contract.ts";

const toRedactionsJson = (found: SyncReport["redacted"]) => ({
  redacted: found.reduce((sum, { places }) => sum + places, 0),
  redactions: found.map(({ kind, secrets, places }) => ({ kind, secrets, places })),
});

export const picturesIn = (leftOut: readonly { readonly pictures?: number }[]): number =>
  leftOut.reduce((sum, { pictures = 0 }) => sum + pictures, 0);

const toProblemJson = ({ session, code, message, hint }: SyncProblem) => ({
  session: session ? { source: session.source, id: session.id } : null,
  code,
  message,
  hint,
});

export const toSyncReportJson = (report: SyncReport) => ({
  outcome: report.outcome,
  hub: report.hub,
  created: report.created,
  updated: report.updated,
  unchanged: report.unchanged,
  eventsUploaded: report.eventsUploaded,
  bytes: report.bytes,
  failed: report.failed,
  backfillQueued: report.backfillQueued,
  backfillFailed: report.backfillFailed,
  ...toRedactionsJson(report.redacted),
  vanished: report.vanished,
  takenBack: report.takenBack,
  allowed: report.allowed,
  deleted: report.deleted,
  heldBack: report.heldBack,
  pictures: picturesIn(report.leftOut),
  leftOut: report.leftOut.map(({ session: { source, id }, path, why }) => ({
    session: { source, id },
    path,
    why,
  })),
  problems: report.problems.map(toProblemJson),
});

export const toDryRunJson = (run: DryRun) => ({
  hub: run.hub ?? null,
  sessions: run.sessions.map(({ source, id, title, repository, isSealed, bytes, files, ...more }) => ({
    session: { source, id, title },
    repository: repository ?? null,
    isSealed,
    bytes,
    files,
    ...toRedactionsJson(more.redacted),
    pictures: picturesIn(more.leftOut),
    leftOut: more.leftOut.map(({ path, why }) => ({ path, why })),
  })),
  unchanged: run.unchanged,
  heldBack: run.heldBack,
  ...toRedactionsJson(run.redacted),
  problems: run.problems.map(toProblemJson),
});

export const toRulesJson = ({ rules, privates }: Pick<SyncStatus, "rules" | "privates">) => ({
  rules: rules.map(({ kind, pattern, effect }) => ({
    kind,
    pattern,
    effect: effect === "sealed" ? ("seal" as const) : effect,
  })),
  sessionRules: privates.map(({ source, id, mode }) => ({
    source,
    id,
    effect: mode === "never" ? ("deny" as const) : ("seal" as const),
  })),
});

export const toSyncStatusJson = (status: SyncStatus) => ({
  hub: status.hub ?? null,
  machine: status.machine,
  gates: status.gates.map(({ gate, isOpen, says, hint }) => ({ gate, isOpen, says, hint: hint ?? null })),
  repositories: status.repositories.map(({ repository, sessions, bytes, sends, why }) => ({
    repository: repository ?? null,
    sessionCount: sessions,
    bytes,
    sends,
    why: why ?? null,
  })),
  ...toRulesJson(status),
  pushed: status.pushed,
  waiting: status.waiting,
  toDelete: status.toDelete,
  recipient: status.recipient ?? null,
  sends: status.sends,
  leavesOut: status.leavesOut,
});

const toPulledJson = ({ problem, ...session }: PulledSession) => ({
  hubSession: session.hubSession,
  title: session.title,
  machine: session.machine,
  outcome: session.outcome,
  session: session.id === undefined ? null : { source: session.source, id: session.id },
  isCopy: session.isCopy === true,
  isUpdate: session.isUpdate === true,
  folder: session.folder ?? null,
  operation: session.operation ?? null,
  resume: session.resume ?? null,
  problem: problem ? toProblemJson(problem) : null,
});

export const toPullJson = ({ hub, outcome, sessions }: PullReport) => ({
  hub,
  outcome,
  sessions: sessions.map(toPulledJson),
});

export const toHubDeletionsJson = (deleted: readonly HubDeletion[]) => ({
  deleted: deleted.map(({ hub, hubSession, title, rawFiles, rawEvents, rows }) => ({
    hub,
    hubSession,
    title,
    rawFiles,
    rawEvents,
    rows,
  })),
});

export const toSharesJson = ({ hub, shares }: ShareReport) => ({
  hub,
  shares: shares.map((share) => ({
    id: share.id ?? null,
    team: share.team,
    repository: share.repository ?? null,
    session: share.session ?? null,
    title: share.title,
    isSealed: share.isSealed === true,
    sharedAt: share.sharedAt ?? null,
    sessionCount: share.sessionCount,
    outcome: share.outcome,
    changed: share.changed ?? 0,
    stillBy: share.stillBy ?? null,
  })),
});
