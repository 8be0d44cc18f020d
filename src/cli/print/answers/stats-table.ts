/** Prints statistics as a table with bars, one row for each day, model and so on. */
import type { DividedStats } from "../../../app/contract.ts";
import { memberOf } from "../../../model/values/member.ts";
import type { Page } from "../../../present/page.ts";
import { amount, bar, briefly, compact } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { cutStart, oneLine, wrap } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";
import { nothing, type StatsSetting, sumLines } from "./stats.ts";

interface Field {
  readonly head: string;
  readonly text: (row: Numbers, now: Date) => string;
  readonly gives?: number;
}

type Numbers = Partial<Record<string, number | string | null>>;

const number = (head: string, name: string, gives?: number): Field => ({
  head,
  text: (row) => amount(Number(memberOf(row, name))),
  ...(gives !== undefined && { gives }),
});
const tokens = (head: string, name: string, gives: number): Field => ({
  head,
  text: (row) => (Number(row.modelCalls) === 0 ? "–" : compact(Number(memberOf(row, name)))),
  gives,
});

const OF_ALL: readonly Field[] = [
  number("TURNS", "turns"),
  number("SESSIONS", "sessions", 2),
  number("CALLS", "toolCalls", 5),
  number("FILES", "files", 6),
  tokens("TOKENS IN", "inputTokens", 3),
  tokens("OUT", "outputTokens", 4),
];
const OF_MODELS: readonly Field[] = [
  number("SESSIONS", "sessions"),
  number("MODEL CALLS", "modelCalls", 4),
  tokens("TOKENS IN", "inputTokens", 2),
  tokens("CACHED", "cachedTokens", 5),
  tokens("OUT", "outputTokens", 3),
  {
    head: "EST. COST",
    text: ({ cost }) => (typeof cost === "number" ? cost.toFixed(2) : "–"),
    gives: 6,
  },
];
const OF_TOOLS: readonly Field[] = [
  number("CALLS", "toolCalls"),
  number("FAILED", "failedCalls", 2),
  number("SESSIONS", "sessions", 3),
];
const OF_FILES: readonly Field[] = [
  number("SESSIONS", "sessions"),
  number("CHANGED IN", "changedIn", 3),
  { head: "LAST", text: (row, now) => briefly(String(row.lastAt), now), gives: 2 },
];

/** What is counted, and what the bars are drawn by: the first of the fields. */
const TABLES: Readonly<
  Record<DividedStats["by"], { head: string; name: string; fields: readonly Field[]; by: string }>
> = {
  day: { head: "DAY", name: "key", fields: OF_ALL, by: "turns" },
  week: { head: "WEEK OF", name: "key", fields: OF_ALL, by: "turns" },
  month: { head: "MONTH", name: "key", fields: OF_ALL, by: "turns" },
  repository: { head: "REPOSITORY", name: "key", fields: OF_ALL, by: "turns" },
  source: { head: "SOURCE", name: "key", fields: OF_ALL, by: "turns" },
  model: { head: "MODEL", name: "model", fields: OF_MODELS, by: "sessions" },
  tool: { head: "TOOL", name: "tool", fields: OF_TOOLS, by: "toolCalls" },
  file: { head: "FILE", name: "path", fields: OF_FILES, by: "sessions" },
};

export function printStatsTable(stats: DividedStats, setting: StatsSetting, page: Page): string[] {
  if (stats.rows.length === 0) return [nothing(setting)];
  const rows = stats.rows.map((row) => ({ ...row }) as Numbers);
  const more = stats.total - stats.rows.length;
  return [
    ...sumLines(stats, setting, page),
    "",
    ...toTable(rows, columnsOf(stats.by, rows, setting, page), page.columns, page.style.dim),
    ...(more > 0
      ? ["", ...wrap(`${amount(more)} more; show all: --limit 0`, page.columns).map(page.style.dim)]
      : []),
  ];
}

function columnsOf(
  by: DividedStats["by"],
  rows: readonly Numbers[],
  { now, labels }: StatsSetting,
  { style, columns }: Page,
): Column<Numbers>[] {
  const table = TABLES[by];
  const most = rows.reduce((largest, row) => Math.max(largest, Number(memberOf(row, table.by))), 1);
  // Without a table of prices nothing is said of costs.
  const isKnown = ({ head }: Field): boolean =>
    head !== "EST. COST" || rows.some(({ cost }) => typeof cost === "number");
  const room = columns < 100 ? 12 : 24;
  const nameOf = (row: Numbers): string => {
    const name = memberOf(row, table.name);
    if (name === null || name === undefined) return by === "repository" ? "elsewhere" : "undated";
    const said = labels.get(String(name)) ?? oneLine(String(name));
    return by === "file" ? cutStart(said, Math.max(20, columns - 46)) : said;
  };
  return [
    { head: table.head, text: nameOf, min: 12 },
    ...table.fields.slice(0, 1).map((field) => toColumn(field, now)),
    {
      head: "",
      text: (row) => bar(Number(memberOf(row, table.by)) / most, room).padEnd(room),
      paint: (): Style["cyan"] => style.cyan,
      gives: 1,
    },
    ...table.fields
      .slice(1)
      .filter(isKnown)
      .map((field) => toColumn(field, now)),
  ];
}

const toColumn = ({ head, text, gives }: Field, now: Date): Column<Numbers> => ({
  head,
  align: "right",
  text: (row) => text(row, now),
  ...(gives !== undefined && { gives }),
});
