/** What is on this machine, in one screen: how much, how lively, what is damaged, and what to look at next. */
import { formatKey, shortId } from "../model/id.ts";
import { type Problem, type Severity, severityOf } from "../model/problem.ts";
import type { Session, SourceId } from "../model/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { type Head, type Progress, readHeads } from "./heads.ts";
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
export interface Suggestion {
  readonly command: readonly string[];
  readonly why:
    | "latest"
    | "largest"
    | "remembered"
    | "busiest-repository"
    | "busiest-workspace"
    | "problems"
    | "demo";
  readonly session?: Session;
  readonly count?: number;
}

export interface Overview {
  readonly sources: readonly SourceSummary[];
  readonly sessions: number;
  readonly turns: number;
  readonly damaged: number;
  /** Intact, but hidden from or out of step with their own program. */
  readonly troubled: number;
  /** Prompts a week, oldest first; the last one is the week that ends now. */
  readonly weeks: readonly { readonly start: string; readonly turns: number }[];
  readonly suggestions: readonly Suggestion[];
}

const WEEKS = 13;
const WEEK = 7 * 86_400_000;

export async function overviewOf(
  catalog: Catalog,
  now: Date,
  only?: readonly string[],
  progress?: Progress,
): Promise<Overview> {
  const chosen = only && knownSources(catalog, only);
  const turnsIn = new Array<number>(WEEKS).fill(0);
  const { heads } = await readHeads(catalog, {
    ...(chosen && { sources: chosen }),
    ...(progress && { progress }),
    event(event) {
      if (event.kind !== "prompt" || event.agent !== undefined || event.time === undefined) return;
      const week = WEEKS - 1 - Math.floor((now.getTime() - Date.parse(event.time)) / WEEK);
      if (week >= 0 && week < WEEKS) turnsIn[week] = (turnsIn[week] ?? 0) + 1;
    },
  });
  const examined = Map.groupBy(
    await catalog.examine(chosen),
    (problem) => `${problem.source}:${problem.session}`,
  );
  const worst = heads.map(({ session, problems }) =>
    worstOf([...problems, ...(examined.get(formatKey(session)) ?? [])]),
  );
  const damaged = worst.filter((severity) => severity === "damage").length;
  const troubled = worst.filter((severity) => severity === "trouble").length;
  const sources = catalog.sources
    .filter(({ source }) => !chosen || chosen.includes(source))
    .map(({ source, label, roots }) => ({ source, label, roots, ...sum(ofSource(heads, source)) }));
  const sessions = heads.map((head) => head.session).sort(byActivity);
  return {
    sources,
    sessions: sessions.length,
    turns: sessions.reduce((total, session) => total + session.turns, 0),
    damaged,
    troubled,
    weeks: turnsIn.map((turns, index) => ({
      start: new Date(now.getTime() - (WEEKS - index) * WEEK).toISOString(),
      turns,
    })),
    suggestions: suggest(sessions, damaged + troubled),
  };
}

/** Three commands; the first ones are about the person's own sessions. Expects the newest session first. */
export function suggest(sessions: readonly Session[], problems: number): Suggestion[] {
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
function rememberedWords(sessions: readonly Session[]): Suggestion | undefined {
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

function busiestPlace(sessions: readonly Session[]): Suggestion | undefined {
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

const ofSource = (heads: readonly Head[], source: SourceId): Session[] =>
  heads.filter((head) => head.session.source === source).map((head) => head.session);

function sum(sessions: readonly Session[]): Omit<SourceSummary, "source" | "label" | "roots"> {
  const last = sessions.toSorted(byActivity)[0]?.updatedAt;
  return {
    sessions: sessions.length,
    turns: sessions.reduce((total, session) => total + session.turns, 0),
    bytes: sessions.reduce((total, session) => total + session.bytes, 0),
    ...(last !== undefined && { lastActivity: last }),
  };
}

function worstOf(problems: readonly Problem[]): Severity | undefined {
  const found = new Set(problems.map(severityOf));
  return (["damage", "trouble", "oddity"] as const).find((severity) => found.has(severity));
}
