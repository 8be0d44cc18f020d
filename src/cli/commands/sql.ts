/** `rethread sql`: ask the store anything, change nothing. */
import { AppError } from "../../model/errors.ts";
import { defineCommand } from "../command.ts";
import { NO_REFRESH_ARG } from "../filters.ts";
import { printRows, toCsv } from "../print/rows.ts";

export default defineCommand({
  name: "sql",
  summary: "Ask the store with one read-only SQL query",
  about:
    "The tables are those of Copilot CLI's own store (sessions, turns, checkpoints, session_files, session_refs, search_index, assistant_usage_events), with more columns and for every source, and tool_calls and problems; views (session_overview, turn_overview, tool_use, file_use, model_use, daily_use) put together what belongs together, and are promised to stay. Nothing can be written, attached or loaded; the query runs in a process of its own with bounds on rows, time and memory.",
  args: {
    query: { kind: "positional", help: "one SELECT", optional: true },
    schema: { kind: "flag", help: "print the views and tables, and what their columns hold" },
    limit: { kind: "number", value: "n", help: "at most this many rows (10000; up to 100000)" },
    timeout: { kind: "number", value: "seconds", help: "stop the query after this long (30)" },
    csv: { kind: "flag", help: "print comma-separated values" },
    jsonl: { kind: "flag", help: "print one JSON object a row" },
    ...NO_REFRESH_ARG,
  },
  examples: [
    {
      command: 'rethread sql "SELECT source, count(*) FROM sessions GROUP BY source"',
      why: "how many there are",
    },
    {
      command: `rethread sql "SELECT title, session, action FROM file_use WHERE path LIKE '%auth%'"`,
      why: "which sessions touched a file",
    },
  ],
  json: {
    "columns[]": "their names",
    "rows[][]": "their values; blobs as hex, integers beyond 2^53 as text",
    truncated: "there were more rows than the limit",
    "views[]": "with --schema: `name`, `means`, `columns[]` (`name`, `means`)",
    "tables[]": "with --schema: `name`, `means`, `columns[]` (names)",
  },
  async run({ args, out, openApp }) {
    const sql = args.schema ? undefined : args.query;
    if (sql === undefined && !args.schema)
      throw new AppError(
        "usage",
        "sql needs a query",
        'Write: rethread sql "SELECT * FROM sessions", or see --schema',
      );
    const app = await openApp();
    if (sql === undefined) {
      const { schemaHelp } = await import("../print/schema.ts");
      const schema = await app.schema();
      if (args.json) out.json({ ...schema });
      else for (const line of schemaHelp(schema, out)) out.line(line);
      return 0;
    }
    const result = await out.progress("Indexing", (progress) =>
      app.sql({
        sql,
        refresh: !args.noRefresh,
        ...(args.limit !== undefined && { limit: args.limit }),
        ...(args.timeout !== undefined && { timeoutMs: args.timeout * 1000 }),
        onProgress: ({ bytes, totalBytes }) => progress(bytes, totalBytes),
      }),
    );
    if (args.json) out.json({ columns: result.columns, rows: result.rows, truncated: result.truncated });
    else if (args.jsonl)
      for (const row of result.rows)
        out.jsonLine(Object.fromEntries(result.columns.map((name, i) => [name, row[i] ?? null])));
    else if (args.csv) out.write(toCsv(result));
    else for (const line of printRows(result, out)) out.line(line);
    if (result.truncated && !args.json)
      out.note(`Only the first ${result.rows.length} rows; ask for more with --limit`);
    return 0;
  },
});
