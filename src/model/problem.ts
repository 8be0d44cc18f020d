/** Problems: what could not be read, or is not as its program expects it, with its location. */
import { type Remedy, toCommand } from "./remedy.ts";
import type { SourceId } from "./session/session.ts";

/**
 * `damage`: content is lost or the owning program stumbles over it. `trouble`: everything is readable, but the owning
 * program hides it or will lose it. `oddity`: tolerated by the owning program; only `doctor` mentions it.
 */
export type Severity = "damage" | "trouble" | "oddity";

export const PROBLEM_CODES = {
  "record-unreadable": { severity: "damage", means: "a line is not JSON" },
  "record-torn": { severity: "damage", means: "the last line was not written completely" },
  "record-unended": {
    severity: "trouble",
    means: "the last line has no line feed, so the program's next write would corrupt it",
  },
  "record-invalid": { severity: "damage", means: "a record of a known type lacks what its program requires" },
  "record-encoding": { severity: "damage", means: "a line holds bytes that are not UTF-8" },
  "record-unknown": { severity: "oddity", means: "a record of an unknown type; it is kept as it is" },
  "format-newer": {
    severity: "trouble",
    means: "written by a newer version of the program than this rethread knows; it is never changed",
  },
  "record-marked": {
    severity: "oddity",
    means: "a byte order mark or a raw line separator, on which some versions of the program fail",
  },
  "chain-broken": { severity: "damage", means: "a record names a parent that is not there" },
  "call-unanswered": { severity: "oddity", means: "a tool call has no result" },
  "result-orphan": { severity: "oddity", means: "a tool result has no call" },
  "session-start-missing": {
    severity: "damage",
    means: "the log has no first record, so its program refuses it",
  },
  "session-start-late": {
    severity: "oddity",
    means: "the first record is not at the start, so its program rewrites the log when it resumes",
  },
  "records-dropped": {
    severity: "damage",
    means: "the program discarded records when it repaired the log; a copy beside it still has them",
  },
  "session-empty": {
    severity: "trouble",
    means: "there is a file or folder for a session, but no conversation in it",
  },
  "session-emptied": {
    severity: "damage",
    means: "the program overwrote the conversation with an empty one",
  },
  "session-unreadable": { severity: "damage", means: "the file could not be read at all" },
  "session-orphaned": {
    severity: "trouble",
    means: "the file is intact, but the program's list does not show it",
  },
  "session-ghost": { severity: "trouble", means: "the program lists a session whose file is gone" },
  "session-hidden": { severity: "trouble", means: "the program knows the session but hides it" },
  "twin-stale": { severity: "oddity", means: "an older copy is beside the current file" },
  "workspace-missing": { severity: "trouble", means: "the folder the work was about is gone or was renamed" },
  "workspace-elsewhere": {
    severity: "oddity",
    means: "the folder the work was about is on another machine or system",
  },
  "workspace-replaced": {
    severity: "trouble",
    means: "the folder was deleted and created again, so the program looks for its sessions elsewhere",
  },
  "index-unreadable": {
    severity: "damage",
    means: "the program would discard its list of sessions as invalid",
  },
  "index-unavailable": {
    severity: "trouble",
    means: "the program's list of sessions cannot be opened now, so it is unknown what it shows",
  },
  "index-behind": {
    severity: "oddity",
    means:
      "the index that the program keeps of its sessions is not up to date, so its own search misses some",
  },
  "sidecar-unreadable": { severity: "trouble", means: "a file beside the conversation could not be read" },
  "sidecar-missing": {
    severity: "oddity",
    means: "a file that the program keeps beside the conversation is not there",
  },
  "lock-stale": {
    severity: "oddity",
    means: "a lock of a process that no longer runs, or whose id now belongs to another program",
  },
  "folder-unreadable": {
    severity: "trouble",
    means: "the operating system refused access, or links form a loop",
  },
  "time-odd": {
    severity: "oddity",
    means: "a time before 2000 or after 2099; it is treated as unknown",
  },
  "backup-damaged": {
    severity: "damage",
    means: "a backup or an archived copy that rethread made is incomplete, so it cannot be restored",
  },
  "reader-failed": {
    severity: "trouble",
    means: "rethread itself failed on it; everything else was read. Please report it",
  },
  "too-deep": {
    severity: "trouble",
    means: "a record is nested so deeply that programs fail on it; the deeper levels are not shown",
  },
  "too-large": {
    severity: "oddity",
    means: "a record was larger than the reading limit; its text was cut for display",
  },
} as const satisfies Record<string, { severity: Severity; means: string }>;

export type ProblemCode = keyof typeof PROBLEM_CODES;

export interface Problem {
  readonly code: ProblemCode;
  readonly source: SourceId;
  /** The session's id, when it belongs to one. */
  readonly session?: string;
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  /** What helps, where it is an action of ours. */
  readonly remedy?: Remedy;
  /** What helps, in words, where a command of ours does not say it all: an update, another program. */
  readonly fix?: string;
}

/** What helps, as something to read or to type. */
export const fixOf = ({ remedy, fix }: Pick<Problem, "remedy" | "fix">): string | undefined =>
  fix ?? (remedy && toCommand(remedy));

export const severityOf = (problem: Pick<Problem, "code">): Severity => PROBLEM_CODES[problem.code].severity;

/** The problems that count against a session: oddities are mentioned by `doctor` alone. */
export const countsAgainst = (problem: Problem): boolean => severityOf(problem) !== "oddity";

/** A scan and a reader may both notice the same thing; it counts once. */
export function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems) {
    const { code, source, session, path, line } = problem;
    const key = JSON.stringify([
      code,
      source,
      session,
      path,
      line,
      line === undefined ? "" : problem.message,
    ]);
    if (!seen.has(key)) seen.set(key, problem);
  }
  return [...seen.values()];
}
