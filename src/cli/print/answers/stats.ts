/** Prints statistics on one screen: totals, a calendar, and the most frequent items. */

import type { Stats, StatsSum } from "../../../app/contract.ts";
import { segmentsOf } from "../../../model/values/paths.ts";
import type { Page } from "../../../present/page.ts";
import { amount, compact, day, plural } from "../../../present/text/measure.ts";
import { oneLine, wrap } from "../../../present/text/text.ts";
import { type BarRow, barBlock, calendar, GUTTER, inColumns } from "../terminal/plot.ts";

export interface StatsSetting {
  readonly now: Date;
  readonly isDemo: boolean;
  readonly labels: ReadonlyMap<string, string>;
}

const TOP = 5;
/** Two blocks beside each other need this much. */
const WIDE = 72;

export function printStats(stats: Stats, setting: StatsSetting, page: Page): string[] {
  const { style, columns } = page;
  if (stats.totals.sessions === 0) return [nothing(setting)];
  const turns = new Map(stats.days.map((share) => [share.key ?? "", share.turns]));
  const width = columns < WIDE ? columns : Math.floor((Math.min(columns, 140) - GUTTER) / 2);
  const block = <T>(title: string, rows: readonly T[], toRow: (row: T) => BarRow): string[] =>
    barBlock(title, rows.slice(0, TOP).map(toRow), width, style);
  const blocks = [
    block("Repositories, by turns", stats.repositories, ({ key, turns: value }) => ({
      name:
        oneLine(key ?? "elsewhere")
          .split("/")
          .pop() ?? "",
      value,
      said: amount(value),
    })),
    block("Models, by sessions", stats.models, ({ model, sessions }) => ({
      name: oneLine(model),
      value: sessions,
      said: amount(sessions),
    })),
    block("Tools, by calls", stats.tools, ({ tool, toolCalls }) => ({
      name: oneLine(tool),
      value: toolCalls,
      said: amount(toolCalls),
    })),
    block("Files, by sessions", stats.files, ({ path, sessions }) => ({
      // The end of a path distinguishes files, and the whole path would leave no room for bars.
      name: segmentsOf(oneLine(path)).slice(-2).join("/"),
      value: sessions,
      said: amount(sessions),
    })),
  ].filter((lines) => lines.length > 1);
  return [
    ...sumLines(stats, setting, page, spanOf(stats, setting.now)),
    "",
    ...calendar(turns, "turns a day", setting.now, page),
    "",
    ...(columns < WIDE ? blocks.flatMap((lines) => [...lines, ""]).slice(0, -1) : inColumns(blocks, width)),
  ];
}

export const nothing = ({ isDemo }: StatsSetting): string =>
  `No session matches, so there is nothing to count. See all: rethread list${isDemo ? " --demo" : ""}`;

/** "24 Aug – 15 Nov, 58 days with work" */
function spanOf({ days }: Stats, now: Date): string {
  const [first, last] = [days[0]?.key, days.at(-1)?.key];
  if (!first || !last) return "";
  const said = (key: string): string => day(new Date(`${key}T00:00:00`), now);
  const span = first === last ? said(first) : `${said(first)} – ${said(last)}`;
  return `${span}, ${plural(days.length, "day", "days")} with work`;
}

export function sumLines(
  { totals, unmetered, cost }: StatsSum,
  { labels }: StatsSetting,
  { style, columns }: Page,
  span = "",
): string[] {
  const head = [
    plural(totals.sessions, "session", "sessions"),
    plural(totals.turns, "turn", "turns"),
    ...(span === "" ? [] : [span]),
  ];
  const failed = totals.failedCalls === 0 ? "" : ` (${amount(totals.failedCalls)} failed)`;
  const cached = totals.cachedTokens === 0 ? "" : ` (${compact(totals.cachedTokens)} from the cache)`;
  const more = [
    `${plural(totals.toolCalls, "tool call", "tool calls")}${failed}`,
    plural(totals.files, "file", "files"),
    ...(totals.modelCalls === 0
      ? []
      : [`${compact(totals.inputTokens)} tokens in${cached}, ${compact(totals.outputTokens)} out`]),
  ];
  const silent = unmetered.map((source) => labels.get(source) ?? source).join(" and ");
  const unpriced = cost?.unpriced.length ? `; no price for ${cost.unpriced.map(oneLine).join(", ")}` : "";
  const spent = cost
    ? `estimated cost ${cost.amount.toFixed(2)} ${oneLine(cost.currency)} at prices of ${cost.date}${unpriced}`
    : "";
  return [
    ...wrap(head.join(" · "), columns).map(style.bold),
    ...wrap(more.join(" · "), columns),
    ...(spent === "" ? [] : wrap(spent, columns)),
    ...(silent === "" ? [] : wrap(`Sessions of ${silent} record no tokens.`, columns).map(style.dim)),
  ];
}
