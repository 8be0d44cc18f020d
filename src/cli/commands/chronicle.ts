/** `rethread chronicle`: reports on one's own work. */
import { chronicleStandup } from "../../operations/chronicle-standup.ts";
import { indexStore } from "../../operations/index-store.ts";
import { outcomeOf } from "../../present/json/index-report.ts";
import { toCall } from "../calling.ts";
import { type AnyCommand, defineCommand, type Invocation } from "../command.ts";
import { NO_REFRESH_ARG, toWorkFilter, WORK_FILTER_ARGS } from "../filters.ts";
import { printIndexReport } from "../print/answers/index-report.ts";

const ARGS = {
  report: {
    kind: "positional",
    choices: ["standup", "reindex"],
    help: "standup (what was worked on), reindex (as `rethread index`)",
  },
  ...WORK_FILTER_ARGS,
  since: {
    kind: "text",
    value: "time",
    help: "only what was done since then: 24h, yesterday, monday, 7d, 2026-07-01 (default: standup 24h)",
  },
  until: {
    kind: "text",
    value: "time",
    help: "only what was done until then; a date includes that whole day",
  },
  format: {
    kind: "choice",
    choices: ["text", "md", "html", "json"],
    help: "how to print it (default: text)",
  },
  noGit: { kind: "flag", help: "standup: leave out your commits that only git knows of" },
  ...NO_REFRESH_ARG,
} as const;

type Called = Invocation<typeof ARGS>;

const command: AnyCommand = defineCommand({
  name: "chronicle",
  summary: "Report on your own work: what was done, by repository and branch",
  brief: "Report on your own work",
  about:
    "Everything comes from the store, without a model. `standup` lists what was worked on: sessions, changed files, commits, pull requests, issues, and what was left open; beside that, your own commits from `git log` of the repositories that are on this machine. Secrets are removed from what is printed. `reindex` is `rethread index` under the name that Copilot CLI has for it.",
  isPaged: true,
  args: ARGS,
  examples: [
    { command: "rethread chronicle standup", why: "what did I do since yesterday?" },
    { command: "rethread chronicle standup --since monday --format md", why: "this week, ready to paste" },
  ],
  operations: [chronicleStandup, indexStore],
  json: [
    { when: "of `standup`", schema: chronicleStandup.output },
    { when: "of `reindex`", schema: indexStore.output },
  ],
  run: (called) => (called.args.report === "reindex" ? reindex(called) : standup(called)),
});
export default command;

async function standup({ args, config, out, openApp }: Called): Promise<number> {
  const app = await openApp();
  const input = { ...toWorkFilter(args, config), git: !args.noGit };
  const answer = await out.progress("Reading sessions", (call) =>
    chronicleStandup.run(app, input, toCall(call, args)),
  );
  const format = args.json ? "json" : (args.format ?? "text");
  if (format === "json") out.json(chronicleStandup.toJson(answer, app));
  else if (format === "text") {
    const { printStandup } = await import("../print/answers/standup.ts");
    const page = { columns: out.columns, style: out.style, isDemo: app.demo !== undefined };
    for (const line of printStandup(answer, page)) out.line(line);
  } else {
    const { markdownStandup, standupTitle } = await import("../../present/markdown/standup.ts");
    if (format === "md") out.write(`## ${standupTitle(answer)}\n\n${markdownStandup(answer)}`);
    else {
      const { htmlReport } = await import("../../present/html/report.ts");
      out.write(htmlReport(standupTitle(answer), markdownStandup(answer, 1)));
    }
  }
  return 0;
}

async function reindex({ args, out, openApp }: Called): Promise<number> {
  const app = await openApp();
  const report = await out.progress("Indexing", (call) =>
    indexStore.run(app, args.source.length > 0 ? { sources: args.source } : {}, call),
  );
  if (args.json || args.format === "json") out.json(indexStore.toJson(report, app));
  else
    for (const line of printIndexReport(report, { isDemo: app.demo !== undefined, rebuild: false }))
      out.line(line);
  return outcomeOf(report) === "partial" ? 1 : 0;
}
