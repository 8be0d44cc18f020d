/** Computes the overview: sessions per source, activity, damage, and suggested commands. */

import { type Problem, type Severity, severityOf } from "../model/problem.ts";
import type { PromptEvent, Session, SourceId } from "../model/session/session.ts";
import { startsTurn } from "../model/session/turns.ts";
import { workKey } from "../model/session/work-key.ts";
import { formatKey, shortId } from "../model/values/id.ts";
import type { Catalog } from "../sources/catalog.ts";
import { countCopies } from "../store/copies.ts";
import type { SessionStore } from "../store/session-store.ts";
import {
  countSessions,
  countTurnsByAge,
  findSessionLines,
  findSessions,
  type SessionLine,
  worstProblems,
} from "../store/sessions.ts";
import { type Progress, readHeads } from "./heads.ts";
import { byActivity, knownSources } from "./list.ts";

export interface SourceSummary {
  readonly source: SourceId;
  readonly label: string;
  readonly roots: readonly string[];
  readonly sessions: number;
  readonly turns: number;
  readonly bytes: number;
  readonly lastActivity?: string;
}

/** A command worth typing next, and why. */
export interface Suggestion<Of = Session> {
  readonly command: readonly string[];
  readonly why:
    | "latest"
    | "largest"
    | "remembered"
    | "busiest-repository"
    | "busiest-workspace"
    | "problems"
    | "demo";
  readonly session?: Of;
  readonly count?: number;
}

export interface Overview {
  readonly sources: readonly SourceSummary[];
  readonly sessions: number;
  readonly turns: number;
  readonly damaged: number;
  /** Intact, but hidden from or out of step with their own program. */
  readonly troubled: number;
  /** Sessions that the store kept though their files are gone; nothing else here counts them. */
  readonly vanished: number;
  /** Prompts a week, oldest first; the last one is the week that ends now. */
  readonly weeks: readonly { readonly start: string; readonly turns: number }[];
  readonly suggestions: readonly Suggestion[];
}

const WEEKS = 13;
const WEEK = 7 * 86_400_000;

/** What an overview is made of, wherever it comes from. */
interface Facts<Of extends SessionLine> {
  readonly sessions: readonly Of[];
  /** All that is known of one, unless it is gone by now. */
  readonly whole: (session: Of) => Session | undefined;
  readonly vanished: number;
  /** The worst that is known of a session. */
  readonly worst: (session: SessionLine) => Severity | undefined;
  /** Turns by age in weeks, the current one first. */
  readonly turnsByAge: readonly number[];
  /** By source: turns that forks and clones have from other sessions, which are counted there. */
  readonly copies: ReadonlyMap<SourceId, number>;
}

export async function overviewOf(
  catalog: Catalog,
  { db }: Pick<SessionStore, "db">,
  now: Date,
  only?: readonly string[],
): Promise<Overview> {
  const chosen = only && knownSources(catalog, only);
  const filter = chosen ? { sources: chosen } : {};
  const sessions = findSessionLines(db, filter);
  const worst = worstProblems(db);
  const workspaces = new Map(sessions.map(({ path, workspace }) => [path, workspace]));
  const examined = await catalog.diagnose(chosen, {
    workspaceOf: (path) => workspaces.get(path),
    opensNone: true,
    countsOnly: true,
  });
  const turnsByAge = countTurnsByAge(db, { until: now, ms: WEEK, count: WEEKS }, chosen);
  return summarize(
    catalog,
    {
      sessions,
      whole: ({ source, id, path }) => {
        return findSessions(db, { session: { source, id } }).find((each) => each.path === path);
      },
      vanished: countSessions(db, filter) - sessions.length,
      worst: ({ path }) => worst.get(path),
      turnsByAge,
      copies: countCopies(db),
    },
    examined,
    now,
    chosen,
  );
}

/** The same by reading every session as the indexer would, for when the store cannot be used. */
export async function overviewFromFiles(
  catalog: Catalog,
  now: Date,
  only?: readonly string[],
  progress?: Progress,
): Promise<Overview> {
  const chosen = only && knownSources(catalog, only);
  const turnsByAge = new Array<number>(WEEKS).fill(0);
  const known = new Set<number>();
  const copies = new Map<SourceId, number>();
  const isCopy = (prompt: PromptEvent, source: SourceId): boolean => {
    const key = workKey({ source, renewsIds: catalog.renewsIds(source) }, prompt);
    if (key === undefined) return false;
    if (known.has(key)) copies.set(source, (copies.get(source) ?? 0) + 1);
    else if (known.add(key)) return false;
    return true;
  };
  const { heads } = await readHeads(catalog, {
    skim: true,
    ...(chosen && { sources: chosen }),
    ...(progress && { progress }),
    event(event, { source }) {
      if (!startsTurn(event) || isCopy(event, source) || event.time === undefined) return;
      const age = Math.floor((now.getTime() - Date.parse(event.time)) / WEEK);
      if (age >= 0 && age < WEEKS) turnsByAge[age] = (turnsByAge[age] ?? 0) + 1;
    },
  });
  const problems = new Map(heads.map((head) => [head.session.path, head.problems]));
  const facts: Facts<Session> = {
    sessions: heads.map((head) => head.session),
    whole: (session) => session,
    vanished: 0, // only the store remembers
    worst: ({ path }) => worstOf(problems.get(path) ?? []),
    turnsByAge,
    copies,
  };
  return summarize(catalog, facts, await catalog.diagnose(chosen), now, chosen);
}

function summarize<Of extends SessionLine>(
  catalog: Catalog,
  { sessions, whole, vanished, worst, turnsByAge, copies }: Facts<Of>,
  examined: readonly Problem[],
  now: Date,
  chosen: readonly SourceId[] | undefined,
): Overview {
  const closer = Map.groupBy(examined, (problem) => `${problem.source}:${problem.session}`);
  const severities = sessions.map((session) =>
    graver(worst(session), worstOf(closer.get(formatKey(session)) ?? [])),
  );
  const damaged = severities.filter((severity) => severity === "damage").length;
  const troubled = severities.filter((severity) => severity === "trouble").length;
  const sources = catalog.sources
    .filter(({ source }) => !chosen || chosen.includes(source))
    .map(({ source, label, roots }) => ({
      source,
      label,
      roots,
      ...sum(
        sessions.filter((session) => session.source === source),
        copies.get(source) ?? 0,
      ),
    }));
  return {
    sources,
    sessions: sessions.length,
    turns: sources.reduce((total, { turns }) => total + turns, 0),
    damaged,
    troubled,
    vanished,
    weeks: turnsByAge.toReversed().map((turns, index) => ({
      start: new Date(now.getTime() - (WEEKS - index) * WEEK).toISOString(),
      turns,
    })),
    suggestions: suggest(sessions.toSorted(byActivity), damaged + troubled).map((suggestion) => {
      const { session, ...rest } = suggestion;
      const known = session && whole(session);
      return { ...rest, ...(known && { session: known }) };
    }),
  };
}

/** Three commands; the first ones are about the person's own sessions. Expects the newest session first. */
export function suggest<Of extends SessionLine>(sessions: readonly Of[], problems: number): Suggestion<Of>[] {
  const latest = sessions.find((session) => session.turns > 0);
  if (!latest) return [{ command: ["demo"], why: "demo" }];
  const largest = sessions.reduce((a, b) => (b.bytes > a.bytes ? b : a), latest);
  return [
    { command: ["show", shortId(latest.id)], why: "latest", session: latest },
    rememberedWords(sessions) ??
      busiestPlace(sessions) ?? { command: ["list"], why: "latest", count: sessions.length },
    problems > 0
      ? { command: ["doctor"], why: "problems", count: problems }
      : { command: ["context", shortId(largest.id)], why: "largest", session: largest },
  ];
}

const TELLING_WORD = /[\p{L}\p{N}]{5,}/gu;

/** A search that finds one of the person's own older sessions, by the two most telling words of its title. */
function rememberedWords<Of extends SessionLine>(sessions: readonly Of[]): Suggestion<Of> | undefined {
  // From the middle of the history: old enough to be forgotten, not so old that it is of no use.
  for (const session of sessions.slice(Math.floor(sessions.length / 2))) {
    const words = [...new Set(session.title.match(TELLING_WORD))];
    const telling = words.toSorted((a, b) => b.length - a.length).slice(0, 2);
    if (session.turns === 0 || telling.length < 2) continue;
    const inOrder = words.filter((word) => telling.includes(word)).map((word) => word.toLowerCase());
    return { command: ["search", ...inOrder], why: "remembered", session };
  }
  return undefined;
}

function busiestPlace(sessions: readonly SessionLine[]): Suggestion<never> | undefined {
  const [repository, inRepository] = mostCommon(sessions.map((session) => session.repository));
  if (repository !== undefined)
    return {
      command: ["list", "--repo", repository.split("/").pop() ?? repository],
      why: "busiest-repository",
      count: inRepository,
    };
  const [workspace, inWorkspace] = mostCommon(sessions.map((session) => session.workspace));
  if (workspace === undefined) return undefined;
  return { command: ["list", "--workspace", workspace], why: "busiest-workspace", count: inWorkspace };
}

function mostCommon(values: readonly (string | undefined)[]): [string | undefined, number] {
  const groups = Map.groupBy(
    values.filter((value) => value !== undefined),
    (value) => value,
  );
  return [...groups].reduce<[string | undefined, number]>(
    (most, [value, all]) => (all.length > most[1] ? [value, all.length] : most),
    [undefined, 0],
  );
}

function sum(
  sessions: readonly SessionLine[],
  copies: number,
): Omit<SourceSummary, "source" | "label" | "roots"> {
  const last = sessions.reduce<string | undefined>(
    (latest, { updatedAt }) => laterOf(latest, updatedAt),
    undefined,
  );
  return {
    sessions: sessions.length,
    turns: sessions.reduce((total, session) => total + session.turns, 0) - copies,
    bytes: sessions.reduce((total, session) => total + session.bytes, 0),
    ...(last !== undefined && { lastActivity: last }),
  };
}

const laterOf = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;

const GRAVITY = ["damage", "trouble", "oddity"] as const satisfies Severity[];

const graver = (a: Severity | undefined, b: Severity | undefined): Severity | undefined =>
  GRAVITY.find((severity) => severity === a || severity === b);

const worstOf = (problems: readonly Problem[]): Severity | undefined =>
  problems.map(severityOf).reduce<Severity | undefined>(graver, undefined);
