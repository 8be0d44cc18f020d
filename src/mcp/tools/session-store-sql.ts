/** `session_store_sql`: any question that the store can answer, read-only. */
import { AppError } from "../../model/errors.ts";
import { schema, sql } from "../../operations/questions/sql.ts";
import { cite } from "../citation.ts";
import { excerpt } from "../excerpt.ts";
import { fitItems } from "../items.ts";
import { defineTool, type Told, type ToolContext } from "../tool.ts";

type Rows = Told<"sql">["rows"];

/** No row takes fewer tokens. */
const LEAST_OF_ROW = 4;
/** Of each cell, in characters. */
const LENGTHS = [20_000, 1000, 200, 60] as const;

export default defineTool({
  name: "session_store_sql",
  title: "Query past sessions with SQL",
  description:
    "Run one read-only SELECT (SQLite) on the index of all past sessions, for counts and lists that search does not give. Views: session_overview, turn_overview (prompt, answer), tool_use, file_use, model_use, daily_use. Tables as in Copilot CLI's own store: sessions, turns, session_files, session_refs, checkpoints, search_index (FTS5). Rows are cited where they have source and session (or session_id) and turn. A query with a mistake is answered with all tables and columns.",
  kind: "question",
  operations: [sql, schema],
  input: (z) => z.strictObject({ sql: sql.input(z).shape.sql }),
  async run({ sql: query }, context) {
    const { columns, rows, truncated, places } = await ask(query, context);
    if (rows.length === 0) return { head: "The query gives no rows." };
    const items = rows.map((row, at) => {
      const place = places?.rows[at];
      const head = place ? [cite(place, place.turn, place.time)] : [];
      const [longest, ...shorter] = LENGTHS.map((length) => [...head, cells(row, length)].join("\n"));
      return { forms: [longest ?? "", ...shorter] as [string, ...string[]] };
    });
    const names = columns.join(" | ");
    return {
      head: `${rows.length}${truncated ? " or more" : ""} ${rows.length === 1 ? "row" : "rows"}, a row below the names of the columns each.${
        places?.rows.some((place) => place !== null)
          ? ""
          : " They are of the whole history: select source, session and turn to have rows cited."
      }`,
      body({ tokens, count }) {
        // Where there is hardly room for a row, who asked knows the columns.
        const top = tokens < 100 ? "" : `${names}\n\n`;
        const { text, shown, shortened } = fitItems(items, { tokens: tokens - count(top), count });
        return {
          text: top + text,
          cut: [
            ...(shown < rows.length || truncated
              ? [
                  `Cut: only ${shown === 1 ? "1 row is" : `${shown} rows are`} shown. To get others: add LIMIT and OFFSET, or raise the budget.`,
                ]
              : []),
            ...(shortened.length > 0
              ? ["Shortened: long values. To get them: select fewer rows or columns, or raise the budget."]
              : []),
          ],
        };
      },
    };
  },
});

async function ask(query: string, context: ToolContext): Promise<Told<"sql">> {
  try {
    return await context.ask("sql", {
      sql: query,
      limit: Math.ceil(context.budget / LEAST_OF_ROW),
      places: true,
    });
  } catch (error) {
    if (!(error instanceof AppError && error.code === "sql-syntax")) throw error;
    const { views, tables } = await context.ask("schema", {});
    const lines = [
      ...views.map(({ name, columns }) => `${name}(${columns.map((column) => column.name).join(", ")})`),
      ...tables.map(({ name, columns }) => `${name}(${columns.join(", ")})`),
    ];
    throw new AppError("sql-syntax", error.message, `There are: ${lines.join("; ")}`, error);
  }
}

const cells = (row: Rows[number], length: number): string =>
  row.map((value) => (value === null ? "NULL" : excerpt(String(value), [], length))).join(" | ");
