/** Computes statistics over all sessions, or those of a filter. */
import { type Cost, costOf, type Prices, totalCost } from "../model/prices.ts";
import type { SourceId } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { SessionStore } from "../store/session-store.ts";
import {
  divide,
  divideByFile,
  divideByModel,
  divideByTool,
  type FileShare,
  type Measures,
  type ModelShare,
  readWork,
  type Share,
  type StatsScope,
  type ToolShare,
  type Work,
} from "../store/stats/stats.ts";
import type { ListFilter } from "./list.ts";

export type { FileShare, Measures, ModelShare, Share, ToolShare } from "../store/stats/stats.ts";

export const STATS_BY = ["day", "week", "month", "repository", "source", "model", "tool", "file"] as const;
export type StatsBy = (typeof STATS_BY)[number];

/** The fields of every answer. */
export interface StatsSum {
  readonly totals: Measures;
  /** Sources with sessions here, none of which says how many tokens it took. */
  readonly unmetered: readonly SourceId[];
  /** Estimated from the user's table of prices, where that has any of the models. */
  readonly cost?: Cost;
}

/** A model with what its tokens cost, where its price is known. */
export type PricedModel = ModelShare & { readonly cost?: number };

export interface Stats extends StatsSum {
  /** In order; days without work are left out. */
  readonly days: readonly Share[];
  /** Most turns first, as are the sources. */
  readonly repositories: readonly Share[];
  readonly sources: readonly Share[];
  readonly models: readonly PricedModel[];
  readonly tools: readonly ToolShare[];
  readonly files: readonly FileShare[];
}

export type StatsRow = Share | PricedModel | ToolShare | FileShare;

export interface DividedStats extends StatsSum {
  readonly by: StatsBy;
  /** Periods in order, idle ones included; of everything else the largest first. */
  readonly rows: readonly StatsRow[];
  /** How many there are, whether or not the limit let them through. */
  readonly total: number;
}

export function statsOf(
  catalog: Catalog,
  { db }: Pick<SessionStore, "db">,
  filter: ListFilter,
  prices?: Prices,
): Stats {
  const work = readWork(db, toScope(catalog, filter));
  return {
    ...sumUp(work, prices),
    days: divide(work, "day").filter((share) => share.key !== null),
    repositories: divide(work, "repository").sort(byTurns),
    sources: divide(work, "source").sort(byTurns),
    models: pricedModels(work, prices),
    tools: divideByTool(work),
    files: divideByFile(work),
  };
}

export function dividedStatsOf(
  catalog: Catalog,
  { db }: Pick<SessionStore, "db">,
  filter: ListFilter,
  by: StatsBy,
  { limit, prices }: { readonly limit?: number; readonly prices?: Prices } = {},
): DividedStats {
  const work = readWork(db, toScope(catalog, filter));
  const rows = rowsBy(work, by, prices);
  const shown = isPeriod(by) ? rows.slice(-(limit ?? rows.length)) : rows.slice(0, limit);
  return { by, ...sumUp(work, prices), rows: shown, total: rows.length };
}

function pricedModels(work: Work, prices: Prices | undefined): PricedModel[] {
  return divideByModel(work).map((share) => {
    const isSpent = share.inputTokens + share.outputTokens > 0;
    const cost = prices && isSpent ? costOf(share.model, share, prices) : undefined;
    return cost === undefined ? share : { ...share, cost };
  });
}

function rowsBy(work: Work, by: StatsBy, prices: Prices | undefined): readonly StatsRow[] {
  switch (by) {
    case "model":
      return pricedModels(work, prices);
    case "tool":
      return divideByTool(work);
    case "file":
      return divideByFile(work);
    case "repository":
    case "source":
      return divide(work, by).sort(byTurns);
    default:
      return withIdle(by, divide(work, by));
  }
}

export const isPeriod = (by: string): by is Period => by === "day" || by === "week" || by === "month";

export function withIdle(period: Period, shares: readonly Share[]): Share[] {
  const dated = new Map(shares.flatMap((share) => (share.key === null ? [] : [[share.key, share] as const])));
  const [first, last] = [[...dated.keys()][0], [...dated.keys()].at(-1)];
  if (first === undefined || last === undefined) return [...shares];
  const undated = shares.filter((share) => share.key === null);
  return [
    ...undated,
    ...periodsBetween(period, first, last).map((key) => dated.get(key) ?? { key, ...NOTHING }),
  ];
}

/** Two halves of the same question: by place as in a list, by time turn by turn. */
function toScope(catalog: Catalog, { since, until, ...filter }: ListFilter): StatsScope {
  return {
    filter,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    cacheApart: catalog.sources.flatMap((each) => (each.countsCacheApart ? [each.source] : [])),
  };
}

function sumUp(work: Work, prices: Prices | undefined): StatsSum {
  const [whole] = divide(work, "whole");
  const { key: _, ...totals } = whole ?? { key: null, ...NOTHING };
  const unmetered = divide(work, "source").flatMap(({ key, inputTokens, outputTokens }) =>
    key !== null && inputTokens + outputTokens === 0 ? [key] : [],
  );
  const cost = prices && totalCost(divideByModel(work), prices);
  return { totals, unmetered, ...(cost && { cost }) };
}

export const NOTHING: Measures = {
  sessions: 0,
  turns: 0,
  toolCalls: 0,
  failedCalls: 0,
  files: 0,
  modelCalls: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
};

export const byTurns = (a: Share, b: Share): number =>
  b.turns - a.turns || b.sessions - a.sessions || ((a.key ?? "") < (b.key ?? "") ? -1 : 1);

export type Period = "day" | "week" | "month";

/** All periods from the first key to the last, as the store writes them: "2026-11-09", a week's Monday, "2026-11". */
export function periodsBetween(period: Period, first: string, last: string): string[] {
  const keys: string[] = [];
  // In UTC, where every day has 24 hours: keys are dates, not moments. They are compared as numbers: the text of the
  // year 10000 comes before that of 9999. One that is no date ends it at once.
  const end = toDate(last).getTime();
  for (let date = toDate(first); date.getTime() <= end; date = next(period, date))
    keys.push(toKey(period, date));
  return keys;
}

const toDate = (key: string): Date => new Date(`${key.length === 7 ? `${key}-01` : key}T00:00:00Z`);
const toKey = (period: Period, date: Date): string =>
  date.toISOString().slice(0, period === "month" ? 7 : 10);

function next(period: Period, date: Date): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (period === "month") return new Date(Date.UTC(year, month + 1, 1));
  return new Date(Date.UTC(year, month, day + (period === "week" ? 7 : 1)));
}
