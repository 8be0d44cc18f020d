/** Divides work by day, week or month, by repository or source, by model, tool and file. */
import { byCodePoints } from "./code-points.ts";
import { type Spelling, total } from "./groups.ts";
import { toText } from "./tally.ts";
import type { Work } from "./work.ts";

export { readWork, type StatsScope, type Work } from "./work.ts";

/** The numbers of any part of the work. */
export interface Measures {
  /** Those in which something was done. */
  readonly sessions: number;
  readonly turns: number;
  readonly toolCalls: number;
  readonly failedCalls: number;
  /** Different ones that were read or changed. */
  readonly files: number;
  readonly modelCalls: number;
  /** All that was sent to models; `cachedTokens` of it came from a cache. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

export interface Share extends Measures {
  /** A date or month, a repository or a source; null when it is unknown. */
  readonly key: string | null;
}

export type Division = "whole" | "day" | "week" | "month" | "repository" | "source";

/** By key, the unknown first. */
export function divide(work: Work, by: Division): Share[] {
  const keyOf = createKeys(work, by);
  const shares = new Map<string | null, Growing>();
  for (const part of work.days) {
    const key = keyOf(part.session, part.day);
    const share = shares.get(key) ?? startShare(key);
    shares.set(key, share);
    share.seen.add(part.session);
    const { sums } = share;
    sums.turns += part.turns;
    sums.toolCalls += part.calls;
    sums.failedCalls += part.failed;
    sums.modelCalls += part.modelCalls;
    sums.inputTokens += part.input;
    sums.cachedTokens += part.cached;
    sums.outputTokens += part.output;
  }
  const { touched } = work;
  for (let i = 0; i < touched.length; i += 3)
    shares.get(keyOf(touched[i + 1] as number, touched[i + 2] as number))?.paths.add(touched[i] as number);
  return [...shares.values()]
    .map(({ sums, seen, paths }) => ({ ...sums, sessions: seen.size, files: paths.size }))
    .sort((a, b) => (a.key === null ? -1 : b.key === null ? 1 : byCodePoints(a.key, b.key)));
}

/** Sessions and files count once, however often they come. */
interface Growing {
  readonly sums: { -readonly [Field in keyof Share]: Share[Field] };
  readonly seen: Set<number>;
  readonly paths: Set<number>;
}

const startShare = (key: string | null): Growing => ({
  sums: {
    ...{ key, sessions: 0, turns: 0, toolCalls: 0, failedCalls: 0, files: 0 },
    ...{ modelCalls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
  },
  seen: new Set(),
  paths: new Set(),
});

/** The key of a session and a day, which are places in lists. */
function createKeys(
  { sessions, dayNames }: Work,
  by: Division,
): (session: number, day: number) => string | null {
  if (by === "whole") return () => "";
  if (by === "source") return (session) => sessions[session]?.source ?? null;
  if (by === "repository") return (session) => sessions[session]?.place ?? null;
  const toKey = PERIODS[by];
  const keys = dayNames.map((day) => day && toKey(day));
  return (_session, day) => keys[day] ?? null;
}

const DAY_MS = 86_400_000;
const PERIODS: Readonly<Record<"day" | "week" | "month", (day: string) => string | null>> = {
  day: (day) => day,
  /** Its Monday. */
  week(day) {
    const date = new Date(`${day}T00:00:00Z`);
    if (Number.isNaN(date.getTime())) return null;
    return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
  },
  month: (day) => day.slice(0, 7),
};

export interface ModelShare {
  readonly model: string;
  /** How agents spell it. */
  readonly names: readonly string[];
  readonly sessions: number;
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** Of the input, what was written to a cache. */
  readonly cacheWrittenTokens: number;
  readonly outputTokens: number;
}

/** Some sources name their models without counting calls: those sessions still count. */
export const divideByModel = ({ models }: Work): ModelShare[] =>
  models
    .map((group) => ({
      model: group.key,
      names: group.spellings.map(({ name }) => name),
      sessions: group.sessions,
      modelCalls: total(group, "calls"),
      inputTokens: total(group, "input"),
      cachedTokens: total(group, "cached"),
      cacheWrittenTokens: total(group, "written"),
      outputTokens: total(group, "output"),
    }))
    .sort((a, b) => b.sessions - a.sessions || b.modelCalls - a.modelCalls || byCodePoints(a.model, b.model));

export interface ToolShare {
  /** Its most common spelling. */
  readonly tool: string;
  readonly names: readonly string[];
  readonly sessions: number;
  readonly toolCalls: number;
  readonly failedCalls: number;
}

export const divideByTool = ({ tools }: Work): ToolShare[] =>
  tools
    .map((group) => ({
      tool: commonest(group.spellings),
      names: group.spellings.map(({ name }) => name),
      sessions: group.sessions,
      toolCalls: total(group, "calls"),
      failedCalls: total(group, "failed"),
    }))
    .sort((a, b) => b.toolCalls - a.toolCalls || byCodePoints(a.tool, b.tool));

const commonest = (spellings: readonly Spelling<{ readonly calls: number }>[]): string =>
  spellings.toSorted((a, b) => b.sums.calls - a.sums.calls || byCodePoints(a.name, b.name))[0]?.name ?? "";

export interface FileShare {
  readonly path: string;
  readonly sessions: number;
  /** Sessions that created, edited or deleted it; the others only read it. */
  readonly changedIn: number;
  readonly lastAt: string;
}

export const divideByFile = ({ files }: Work): FileShare[] =>
  files
    .toSorted((a, b) => b.sessions - a.sessions || b.changedIn - a.changedIn || byCodePoints(a.path, b.path))
    .map((file) => ({ ...file, lastAt: toText(file.lastAt) }));
