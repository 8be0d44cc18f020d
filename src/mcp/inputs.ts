/** What several tools take: the fields of the operations behind them, and times and references as they are typed. */
import type { WorkPlace } from "../app/contract.ts";
import { parseWhen } from "../model/values/when.ts";
import type { Zod } from "../operations/operation.ts";
import { placeFields } from "../operations/schemas/inputs.ts";

export const DEFAULT_BUDGET = 2000;
const LEAST_BUDGET = 100;
const MOST_BUDGET = 50_000;

/** For those who want the rest of an answer. */
export const largerThan = (budget: number): number => Math.min(MOST_BUDGET, budget * 4);

export const budgetField = (z: Zod) =>
  z
    .int()
    .min(LEAST_BUDGET)
    .max(MOST_BUDGET)
    .exactOptional()
    .describe(`the most tokens that the answer may have (default: ${DEFAULT_BUDGET})`);

const when = (z: Zod, means: string) =>
  z
    .string()
    .min(1)
    .exactOptional()
    .describe(`${means}: 2026-07-01, 2026-07-01T09:30:00Z, today, yesterday, 3h, 7d, 2w or 1mo`);

export const sinceField = (z: Zod) => when(z, "only sessions that were active since then");

/** Where and when the work was. */
export const filterFields = (z: Zod) => {
  const { sources, repository, workspace, branch } = placeFields(z);
  return {
    repo: repository,
    workspace,
    branch,
    source: sources,
    since: sinceField(z),
    until: when(z, "only sessions that were last active until then"),
  };
};

export interface TypedFilters {
  readonly repo?: string;
  readonly workspace?: string;
  readonly branch?: string;
  readonly source?: readonly string[];
  readonly since?: string;
  readonly until?: string;
}

type JsonFilters = Omit<WorkPlace, "since" | "until" | "sources" | "tags"> & {
  sources?: string[];
  since?: string;
  until?: string;
};

export const toFilters = (
  { repo, workspace, branch, source, since, until }: TypedFilters,
  now: Date,
): JsonFilters => ({
  ...(repo !== undefined && { repository: repo }),
  ...(workspace !== undefined && { workspace }),
  ...(branch !== undefined && { branch }),
  ...(source && source.length > 0 && { sources: [...source] }),
  ...(since !== undefined && { since: parseWhen(since, "start", now).toISOString() }),
  ...(until !== undefined && { until: parseWhen(until, "end", now).toISOString() }),
});
