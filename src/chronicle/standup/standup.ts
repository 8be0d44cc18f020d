/** Makes the standup: what was worked on in a range, by repository and branch, and what was left open. */
import type { RefEvidence } from "../../model/session/refs.ts";
import { wayFrom } from "../../model/values/paths.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import {
  type RangedSession,
  type ReportScope,
  rangedSessions,
  withRange,
} from "../../store/chronicle/range.ts";
import {
  type ChangedFile,
  changedFiles,
  foundRefs,
  hostCommands,
  type LastTurn,
  lastTurns,
} from "../../store/chronicle/standup-rows.ts";
import { addressOf, placeKey } from "../places.ts";
import { gistOf } from "../prose.ts";
import { type Redact, type ReportedSession, toReported } from "../report.ts";
import { type MergedCommit, mergeCommits, mergeRefs, type SeenRef, uniqueRefs } from "./merge-refs.ts";
import { type OpenEndKind, openEndOf } from "./open-ends.ts";
import type { OwnCommit } from "./own-commits.ts";

export interface Standup {
  readonly since: string;
  readonly until: string;
  readonly sessionCount: number;
  readonly turns: number;
  /** Most turns first. */
  readonly repositories: readonly StandupRepository[];
  /** Why commits of some repositories are missing, in sentences. */
  readonly gitTroubles: readonly string[];
}

export interface StandupRepository {
  /** Its name, or else the folder; nothing where neither is known. */
  readonly repository: string | undefined;
  readonly folder: string | undefined;
  readonly turns: number;
  readonly branches: readonly StandupBranch[];
}

/** Every item says in which session and turn it was seen. */
interface Seen {
  readonly session: ReportedSession;
  readonly turn: number;
}

export interface StandupBranch {
  readonly branch: string | undefined;
  readonly turns: number;
  readonly sessions: readonly StandupSession[];
  readonly files: readonly (Seen & { readonly path: string; readonly action: ChangedFile["action"] })[];
  readonly commits: readonly StandupCommit[];
  readonly pullRequests: readonly StandupRef[];
  readonly issues: readonly StandupRef[];
  readonly openEnds: readonly (Seen & { readonly kind: OpenEndKind; readonly text: string })[];
}

export interface StandupSession extends ReportedSession {
  /** How many of its turns lie in the range. */
  readonly turns: number;
  /** How its last answer in the range begins. */
  readonly outcome: string | undefined;
  /** The last one in the range, and when it ended. */
  readonly lastTurn: number | undefined;
  readonly lastAt: string | undefined;
}

/** Of a commit that only git knows, no session is known. */
export interface StandupCommit extends Partial<Seen> {
  readonly commit: string;
  readonly subject: string | undefined;
  readonly at: string | undefined;
  readonly url: string | undefined;
}

export interface StandupRef extends Seen {
  readonly number: string;
  readonly evidence: RefEvidence;
  readonly url: string | undefined;
}

/** What the store has of the range, by the keys of sessions. */
export interface StandupRows {
  readonly sessions: readonly RangedSession[];
  readonly files: ReadonlyMap<string, readonly ChangedFile[]>;
  readonly refs: ReadonlyMap<string, readonly SeenRef[]>;
  readonly ends: ReadonlyMap<string, LastTurn>;
}

export const readStandup = (db: Database, scope: ReportScope): StandupRows =>
  withRange(db, scope, () => ({
    sessions: rangedSessions(db),
    files: Map.groupBy(changedFiles(db), bySession),
    refs: Map.groupBy(mergeRefs(foundRefs(db), hostCommands(db)), bySession),
    ends: new Map(lastTurns(db).map((end) => [end.session, end])),
  }));

const bySession = ({ session }: { readonly session: string }): string => session;

export interface StandupOptions {
  readonly since: Date;
  readonly until: Date;
  readonly now: Date;
  readonly redact: Redact;
  /** By the folders of sessions. */
  readonly commits: ReadonlyMap<string, readonly OwnCommit[]>;
  readonly gitTroubles?: readonly string[];
}

const LONGEST_OUTCOME = 160;

export function makeStandup(rows: StandupRows, options: StandupOptions): Standup {
  return {
    since: options.since.toISOString(),
    until: options.until.toISOString(),
    sessionCount: rows.sessions.length,
    turns: sumTurns(rows.sessions),
    repositories: [...Map.groupBy(rows.sessions, placeKey).values()]
      .map((sessions) => toRepository(sessions, rows, options))
      .sort((a, b) => b.turns - a.turns),
    gitTroubles: options.gitTroubles ?? [],
  };
}

const sumTurns = (all: readonly { readonly turns: number }[]): number =>
  all.reduce((sum, { turns }) => sum + turns, 0);

function toRepository(
  sessions: readonly RangedSession[],
  rows: StandupRows,
  options: StandupOptions,
): StandupRepository {
  const [latest] = sessions;
  const branchOf = new Map(sessions.map(({ key, branch }) => [key, branch]));
  const folders = new Set(sessions.map(({ workspace }) => workspace ?? ""));
  const commits = mergeCommits(
    sessions.flatMap(({ key }) => rows.refs.get(key) ?? []).filter(({ type }) => type === "commit"),
    [...folders].flatMap((folder) => options.commits.get(folder) ?? []),
    (key) => branchOf.get(key),
  );
  const held = Map.groupBy(sessions, ({ branch }) => branch);
  const made = Map.groupBy(commits, ({ branch }) => branch);
  const named = new Map(sessions.map((each) => [each.key, toReported(each, options.redact)]));
  return {
    repository: latest?.repository ?? latest?.workspace,
    folder: latest?.workspace,
    turns: sumTurns(sessions),
    branches: [...new Set([...held.keys(), ...made.keys()])].map((branch) =>
      toBranch(branch, held.get(branch) ?? [], made.get(branch) ?? [], named, rows, {
        ...options,
        repository: latest?.repository,
      }),
    ),
  };
}

function toBranch(
  branch: string | undefined,
  sessions: readonly RangedSession[],
  commits: readonly MergedCommit[],
  named: ReadonlyMap<string, ReportedSession>,
  rows: StandupRows,
  { redact, now, repository }: StandupOptions & { readonly repository: string | undefined },
): StandupBranch {
  const seen = (key: string, turn: number): Seen => ({ session: named.get(key) as ReportedSession, turn });
  const refsOf = (wanted: "pr" | "issue"): StandupRef[] =>
    uniqueRefs(
      sessions.flatMap(({ key }) => rows.refs.get(key) ?? []).filter(({ type }) => type === wanted),
    ).map(({ session, turn, value, evidence }) => ({
      number: value,
      evidence,
      url: addressOf(repository, wanted, value),
      ...seen(session, turn),
    }));
  const files = sessions.flatMap(({ key, workspace }) =>
    (rows.files.get(key) ?? []).map(({ turn, path, action }) => ({
      path: pathIn(workspace, path),
      action,
      ...seen(key, turn),
    })),
  );
  return {
    branch,
    turns: sumTurns(sessions),
    sessions: sessions.map((session) => toSession(session, rows.ends.get(session.key), redact)),
    files: uniqueFiles(files),
    commits: commits.map(({ commit, subject, at, ref }) => ({
      commit,
      subject: subject === undefined ? undefined : redact(subject),
      at,
      url: addressOf(repository, "commit", commit),
      ...(ref && seen(ref.session, ref.turn)),
    })),
    pullRequests: refsOf("pr"),
    issues: refsOf("issue"),
    openEnds: sessions.flatMap(({ key, end, last }) => {
      const turn = rows.ends.get(key);
      // One that went on after the range is not open any more.
      const open = turn && end === last ? openEndOf(turn, now) : undefined;
      return open ? [{ kind: open.kind, text: redact(open.text), ...seen(key, last) }] : [];
    }),
  };
}

function toSession(session: RangedSession, end: LastTurn | undefined, redact: Redact): StandupSession {
  const outcome = gistOf(end?.opening ?? "", LONGEST_OUTCOME);
  return {
    ...toReported(session, redact),
    turns: session.turns,
    outcome: outcome === "" ? undefined : redact(outcome),
    lastTurn: end?.turn,
    lastAt: end?.endedAt ?? end?.startedAt,
  };
}

const pathIn = (workspace: string | undefined, path: string): string =>
  (workspace === undefined ? undefined : wayFrom(workspace, path)) || path;

/** Several sessions of a branch may change one file: the first of them stands for it. */
function uniqueFiles<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const byPath = new Map<string, T>();
  for (const file of files) if (!byPath.has(file.path)) byPath.set(file.path, file);
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
