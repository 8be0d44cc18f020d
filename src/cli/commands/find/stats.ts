/** `rethread stats`: counts sessions, turns, tool calls, files and tokens. */
import { STATS_BY, stats, statsBy } from "../../../operations/questions/stats.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG, toWorkFilter, WORK_FILTER_ARGS } from "../../filters.ts";

/** Rows that a person reads at once. */
const ENOUGH = 30;

export default defineCommand({
  name: "stats",
  summary: "Count sessions, turns, tool calls, files and tokens, by day, repository, source, model and more",
  brief: "Count sessions, turns, tool calls, files and tokens",
  about:
    "Days are in your time zone, and a turn is counted on the day it began. Tokens are those that the agents recorded: input is everything that was sent to the model, including what came from a cache. A session that records no repository is counted under that of its folder.",
  isPaged: true,
  args: {
    by: {
      kind: "choice",
      choices: STATS_BY,
      help: "print one row for each day, week and so on, instead of the summary screen",
    },
    ...WORK_FILTER_ARGS,
    since: {
      kind: "text",
      value: "time",
      help: "only work since then: 2026-07-01, today, yesterday, 3h, 7d, 2w, 1mo, 1y",
    },
    until: { kind: "text", value: "time", help: "only work until then; a date includes that whole day" },
    limit: {
      kind: "number",
      short: "n",
      value: "n",
      help: `with --by: show at most this many rows; 0 shows all (default: ${ENOUGH}, with --json all)`,
    },
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread stats", why: "everything on one screen" },
    { command: "rethread stats --since 7d --by day", why: "this week, day by day" },
    { command: "rethread stats --repo storefront --by tool", why: "which tools were used in one repository" },
  ],
  operations: [stats, statsBy],
  json: [
    { when: "without --by", schema: stats.output },
    { when: "with --by", schema: statsBy.output },
  ],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const place = toWorkFilter(args, config);
    const setting = {
      now: config.now(),
      isDemo: app.demo !== undefined,
      labels: new Map(app.sources.map(({ source, label }) => [source, label])),
    };
    if (args.by === undefined) {
      const answer = await out.progress("Reading sessions", (call) =>
        stats.run(app, place, toCall(call, args)),
      );
      if (args.json) out.json(stats.toJson(answer, app));
      else {
        const { printStats } = await import("../../print/answers/stats.ts");
        for (const line of printStats(answer, setting, out)) out.line(line);
      }
      return 0;
    }
    const limit = args.limit ?? (args.json ? 0 : ENOUGH);
    const input = { by: args.by, ...place, ...(limit > 0 && { limit }) };
    const answer = await out.progress("Reading sessions", (call) =>
      statsBy.run(app, input, toCall(call, args)),
    );
    if (args.json) out.json(statsBy.toJson(answer, app));
    else {
      const { printStatsTable } = await import("../../print/answers/stats-table.ts");
      for (const line of printStatsTable(answer, setting, out)) out.line(line);
    }
    return 0;
  },
});
