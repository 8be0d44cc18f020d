/** The time that a report is about, and the sessions. */
import type { ReportRange } from "../../chronicle/report.ts";
import { AppError } from "../../model/errors.ts";
import type { ReportScope } from "../../store/chronicle/range.ts";
import type { AppConfig } from "../config.ts";
import { toFilter, type WorkPlace } from "../filters.ts";
import type { Request } from "../request.ts";

const DAY_MS = 86_400_000;

/** So many days until now, where nothing else is asked for. */
export function rangeOf(
  { since, until }: Pick<WorkPlace, "since" | "until">,
  days: number,
  { now }: Pick<AppConfig, "now">,
): ReportRange {
  const end = until ?? now();
  if (since !== undefined && since > end)
    throw new AppError(
      "usage",
      `The report would begin (${since.toISOString()}) after its end (${end.toISOString()})`,
      "Name a time that comes before the end",
    );
  return { since: since ?? new Date(end.getTime() - days * DAY_MS), until: end };
}

export async function scopeOf(
  wanted: WorkPlace,
  range: ReportRange,
  { catalog }: Request,
): Promise<ReportScope> {
  const { since = "", until = "", ...filter } = await toFilter({ ...wanted, ...range }, catalog);
  return { filter, since, until };
}
