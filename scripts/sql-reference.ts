/** The page about what `rethread sql` may ask for, in Markdown. */
import type { StoreSchema } from "../src/store/schema.ts";

export function sqlReference({ views, tables }: StoreSchema): string {
  return `${[
    "# What sql can query",
    "<!-- Written by `npm run docs` from the store's own schema. Do not edit. -->",
    "`rethread sql` runs one read-only SELECT (SQLite's dialect) on the store. Times are ISO 8601 in UTC, as text, so they compare and sort as they are; `date(started_at, 'localtime')` is the day in your time zone. Turns are counted from 0.",
    "## Views",
    "Made for queries, and stable: columns may be added at the end of a view, but none is renamed or removed.",
    ...views.flatMap(({ name, means, columns }) => [
      `### ${name}`,
      `${means[0]?.toUpperCase()}${means.slice(1)}.`,
      [
        "| Column | Holds |",
        "| --- | --- |",
        ...columns.map((column) => `| \`${column.name}\` | ${column.means} |`),
      ].join("\n"),
    ]),
    "## Tables",
    "The tables of Copilot CLI's own store (its schema 8), with the same names and meanings, so that queries written for it run here. They have more columns and the sessions of every source, and there are a few tables of Rethread's own.",
    ["| Table | Holds | Columns |", "| --- | --- | --- |", ...tables.map(tableRow)].join("\n"),
    "## Examples",
    ...EXAMPLES.map(({ why, sql }) => `${why}:\n\n\`\`\`sql\n${sql}\n\`\`\``),
  ].join("\n\n")}\n`;
}

const tableRow = ({ name, means, columns }: StoreSchema["tables"][number]): string =>
  `| \`${name}\` | ${means} | ${columns.map((column) => `\`${column}\``).join(", ")} |`;

/** Each of them runs in a test. */
export const EXAMPLES: readonly { readonly why: string; readonly sql: string }[] = [
  {
    why: "The sessions with the most tool calls",
    sql: "SELECT title, repository, turns, tool_calls FROM session_overview ORDER BY tool_calls DESC LIMIT 10",
  },
  {
    why: "What was asked last week about one file",
    sql: "SELECT DISTINCT t.started_at, t.prompt FROM turn_overview t JOIN file_use f USING (session_id)\n WHERE f.path LIKE '%checkout%' AND f.action <> 'read' AND t.started_at > datetime('now', '-7 days')\n ORDER BY t.started_at",
  },
  {
    why: "Which commands fail most often",
    sql: "SELECT tool, label, count(*) AS failures FROM tool_use WHERE status = 'failed'\n GROUP BY tool, label ORDER BY failures DESC LIMIT 10",
  },
  {
    why: "Tokens by model and month",
    sql: "SELECT substr(at, 1, 7) AS month, model, sum(input_tokens) AS input, sum(output_tokens) AS output\n  FROM model_use GROUP BY 1, 2 ORDER BY 1, 2",
  },
  {
    why: "How busy each weekday is (0 is Sunday)",
    sql: "SELECT strftime('%w', day) AS weekday, sum(turns) AS turns FROM daily_use GROUP BY 1 ORDER BY 1",
  },
  {
    why: "Turns about a word, best first, with their sessions",
    sql: "SELECT s.title, snippet(search_index, 0, '[', ']', '…', 12) AS found\n  FROM search_index JOIN sessions s ON s.id = search_index.session_id\n WHERE search_index MATCH 'flaky' ORDER BY rank LIMIT 10",
  },
];
