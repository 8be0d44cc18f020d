/** Prints the overview: sessions per source, activity, damage, and three commands to try next. */
import type { Config } from "../../../app/config.ts";
import type { Overview, Suggestion } from "../../../app/contract.ts";
import type { Page } from "../../../present/page.ts";
import { commandText } from "../../../present/text/command-text.ts";
import { titleOf } from "../../../present/text/facts.ts";
import { ago, amount, bytes, day, plural, sparkline } from "../../../present/text/measure.ts";
import { cut, cutStart, oneLine, pad, widthOf, wrap } from "../../../present/text/text.ts";
import { toTable } from "../terminal/table.ts";

interface Setting {
  readonly config: Pick<Config, "now" | "environment" | "isCheckout">;
  readonly demo: boolean;
  readonly version: string;
}

export function printOverview(overview: Overview, setting: Setting, page: Page): string[] {
  const { style, columns } = page;
  const total = `${plural(overview.sessions, "session", "sessions")} · ${plural(overview.turns, "turn", "turns")}`;
  const name = `${style.bold("rethread")} ${style.dim(`${setting.version}${setting.demo ? " · demo" : ""}`)}`;
  const space = Math.max(2, Math.min(columns, 76) - widthOf(name) - widthOf(total));
  if (overview.sessions === 0) return [name, "", ...nothingLines(overview, setting, page)];
  return [
    ...(widthOf(name) + widthOf(total) + 2 <= columns ? [name + " ".repeat(space) + total] : [name, total]),
    "",
    ...sourceLines(overview, setting, page),
    "",
    ...activityLines(overview, setting.config.now(), page),
    ...healthLines(overview, page),
    "",
    style.bold("Next"),
    ...suggestionLines(overview.suggestions, setting, page),
    ...(setting.config.isCheckout
      ? [
          "",
          ...wrap("In this checkout, type npm run -s rethread -- instead of rethread.", columns).map(
            style.dim,
          ),
        ]
      : []),
  ];
}

function sourceLines(overview: Overview, { config, demo }: Setting, { style, columns }: Page): string[] {
  // The demo has not got sessions of every source, and nobody could add any.
  const rows = overview.sources.filter(({ sessions }) => sessions > 0 || !demo);
  const dimWhenEmpty = (row: (typeof rows)[number]) =>
    row.sessions === 0 ? style.dim : (text: string) => text;
  return toTable(
    rows,
    [
      {
        head: "SOURCE",
        text: (row) => (columns < 60 ? row.source : row.label),
        paint: dimWhenEmpty,
        min: 14,
      },
      { head: "SESSIONS", align: "right", text: (row) => amount(row.sessions), paint: dimWhenEmpty },
      { head: "TURNS", align: "right", text: (row) => amount(row.turns), paint: dimWhenEmpty, gives: 2 },
      { head: "SIZE", align: "right", text: (row) => bytes(row.bytes), paint: () => style.dim, gives: 3 },
      {
        head: "LAST ACTIVE",
        text: (row) => ago(row.lastActivity, config.now()) || "–",
        paint: dimWhenEmpty,
        gives: 1,
      },
    ],
    columns,
    style.dim,
  );
}

function activityLines({ weeks }: Overview, now: Date, { style, columns }: Page): string[] {
  const most = Math.max(...weeks.map((week) => week.turns));
  const first = weeks[0];
  if (most === 0 || !first) return [];
  const lead = `Turns per week since ${day(new Date(first.start), now)}`;
  const tail = `peak ${amount(most)}, this week ${amount(weeks.at(-1)?.turns ?? 0)}`;
  const plot = style.cyan([...sparkline(weeks.map((week) => week.turns))].join(" "));
  if (columns < 72) return [lead, plot, style.dim(cut(tail, columns))];
  return [`${lead}  ${plot}  ${style.dim(tail)}`].flatMap((line) =>
    widthOf(line) <= columns ? [line] : [lead, `${plot}  ${style.dim(tail)}`],
  );
}

function healthLines(overview: Overview, { style, columns }: Page): string[] {
  const { damaged, troubled, vanished, sessions } = overview;
  const kept =
    vanished > 0
      ? wrap(`† ${plural(vanished, "session", "sessions")} kept although the files are gone`, columns)
      : [];
  if (damaged + troubled === 0)
    return [
      ...wrap(`All ${amount(sessions)} sessions are intact.`, columns).map(style.green),
      ...kept.map(style.dim),
    ];
  const said = [
    damaged > 0 ? `${amount(damaged)} damaged` : "",
    troubled > 0 ? `${amount(troubled)} intact but hidden, orphaned or at risk` : "",
  ].filter(Boolean);
  return [...wrap(`! ${said.join(", ")}`, columns).map(style.yellow), ...kept.map(style.dim)];
}

function suggestionLines(
  suggestions: readonly Suggestion[],
  setting: Setting,
  { style, columns }: Page,
): string[] {
  const rows = suggestions.map((each) => ({
    command: commandText(each.command, setting.demo),
    why: reasonFor(each, setting.config.now()),
  }));
  const widest = Math.max(...rows.map((row) => widthOf(row.command)));
  const room = columns - widest - 4;
  // Without room beside it, the reason stands below its command.
  if (rows.some((row) => widthOf(row.why) > room))
    return rows.flatMap((row) => [
      `  ${style.cyan(row.command)}`,
      `    ${style.dim(cut(row.why, columns - 4))}`,
    ]);
  return rows.map((row) => `  ${style.cyan(pad(row.command, widest))}  ${style.dim(cut(row.why, room))}`);
}

function reasonFor(suggestion: Suggestion, now: Date): string {
  const { why, session, count = 0 } = suggestion;
  const title = session ? titleOf(session) : "";
  switch (why) {
    case "latest":
      return session ? `${title} (${ago(session.updatedAt, now)})` : `all ${amount(count)} sessions`;
    case "largest":
      return `what the model would receive from your largest session: ${title}`;
    case "remembered":
      return `finds ${title} (${ago(session?.updatedAt, now)})`;
    case "busiest-repository":
    case "busiest-workspace":
      return `${plural(count, "session", "sessions")}, more than anywhere else`;
    case "problems":
      return `what is wrong with ${plural(count, "session", "sessions")}, and how to fix it`;
    case "demo":
      return "create sample sessions to try every command on";
  }
}

function nothingLines(overview: Overview, setting: Setting, page: Page): string[] {
  const { style, columns } = page;
  const { homeDir } = setting.config.environment;
  const short = (path: string): string =>
    path.startsWith(homeDir) ? `~${path.slice(homeDir.length)}` : path;
  return [
    "No session was found on this machine. Rethread looked here:",
    "",
    ...overview.sources.flatMap(({ label, roots }) => [
      cut(label, columns),
      ...roots.map((root) => style.dim(`  ${cutStart(oneLine(short(root)), columns - 2)}`)),
    ]),
    "",
    style.bold("Next"),
    ...suggestionLines(overview.suggestions, setting, page),
  ].flatMap((line) => (widthOf(line) > columns ? wrap(line, columns) : [line]));
}
