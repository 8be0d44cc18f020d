/** `rethread sql`: runs a read-only query on the store. */

import { AppError } from "../../../model/errors.ts";
import { hubSchema, hubSql } from "../../../operations/hub/hub-questions.ts";
import { schema, sql } from "../../../operations/questions/sql.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { HUB_ARG, NO_REFRESH_ARG } from "../../filters.ts";
import { printRows, toCsv } from "../../print/answers/rows.ts";

export default defineCommand({
  name: "sql",
  summary: sql.summary,
  about:
    "The tables are those of Copilot CLI's own store (sessions, turns, checkpoints, session_files, session_refs, search_index, assistant_usage_events), with more columns and the sessions of every source, plus tool_calls and problems. The views (session_overview, turn_overview, tool_use, file_use, model_use, daily_use) join what belongs together, and stay compatible in later versions. A query cannot write, attach or load anything; it runs in a process of its own with limits on rows, time and memory.",
  isPaged: true,
  args: {
    query: { kind: "positional", help: "one SELECT", optional: true },
    schema: { kind: "flag", help: "print the views and tables, and what their columns hold" },
    limit: {
      kind: "number",
      short: "n",
      value: "n",
      help: "print at most this many rows (default: 10000, at most 100000)",
    },
    timeout: { kind: "number", value: "seconds", help: "stop the query after this long (default: 30)" },
    csv: { kind: "flag", help: "print comma-separated values" },
    jsonl: { kind: "flag", help: "print one JSON object per row" },
    ...HUB_ARG,
    ...NO_REFRESH_ARG,
  },
  examples: [
    {
      command: 'rethread sql "SELECT source, count(*) FROM sessions GROUP BY source"',
      why: "how many sessions each source has",
    },
    {
      command: `rethread sql "SELECT title, session, action FROM file_use WHERE path LIKE '%auth%'"`,
      why: "which sessions touched a file",
    },
  ],
  operations: [sql, schema, hubSql, hubSchema],
  json: [
    { schema: sql.output },
    { when: "with --schema", schema: schema.output },
    { when: "with --hub", schema: hubSql.output },
    { when: "with --hub and --schema", schema: hubSchema.output },
  ],
  async run({ args, out, openApp }) {
    const query = args.schema ? undefined : args.query;
    if (query === undefined && !args.schema)
      throw new AppError(
        "usage",
        "sql needs a query",
        'Run: rethread sql "SELECT * FROM sessions", or see --schema',
      );
    const app = await openApp();
    if (query === undefined) {
      const { schemaHelp } = await import("../../print/answers/schema.ts");
      const answer = args.hub ? await hubSchema.run(app, {}) : await schema.run(app, {});
      if (args.json) out.json({ ...answer });
      else for (const line of schemaHelp(answer, out)) out.line(line);
      return 0;
    }
    const input = {
      sql: query,
      ...(args.limit !== undefined && { limit: args.limit }),
      ...(args.timeout !== undefined && { timeoutMs: args.timeout * 1000 }),
    };
    const result = args.hub
      ? await out.progress("Asking the hub", (call) => hubSql.run(app, input, call))
      : await out.progress("Indexing", (call) => sql.run(app, input, toCall(call, args)));
    if ("hub" in result && !args.json) out.note(`Rows of the hub ${result.hub}`);
    if (args.json) out.json("hub" in result ? { ...result } : sql.toJson(result, app));
    else if (args.jsonl)
      for (const row of result.rows)
        out.jsonLine(Object.fromEntries(result.columns.map((name, i) => [name, row[i] ?? null])));
    else if (args.csv) out.write(toCsv(result));
    else for (const line of printRows(result, out)) out.line(line);
    if (result.truncated && !args.json)
      out.note(`Only the first ${result.rows.length} rows are shown; --limit shows more`);
    return 0;
  },
});
