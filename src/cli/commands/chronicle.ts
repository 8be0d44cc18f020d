/** `rethread chronicle`: reports on one's own work. */
import { chronicleStandup } from "../../operations/chronicle-standup.ts";
import { chronicleTips } from "../../operations/chronicle-tips.ts";
import { indexStore } from "../../operations/index-store.ts";
import { type AnyCommand, defineCommand } from "../command.ts";
import { NO_REFRESH_ARG, WORK_FILTER_ARGS } from "../filters.ts";
import { reindex } from "./chronicle/reindex.ts";
import { standup } from "./chronicle/standup.ts";
import { tips } from "./chronicle/tips.ts";

const REPORTS = { standup, tips, reindex } as const;

export const CHRONICLE_ARGS = {
  report: {
    kind: "positional",
    choices: ["standup", "tips", "reindex"],
    help: "standup (what was worked on), tips (habits that cost time or tokens), reindex (as `rethread index`)",
  },
  ...WORK_FILTER_ARGS,
  since: {
    kind: "text",
    value: "time",
    help: "only what was done since then: 24h, yesterday, monday, 7d, 2026-07-01 (default: standup 24h, tips 90d)",
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

const command: AnyCommand = defineCommand({
  name: "chronicle",
  summary: "Report on your own work: what was done, and which habits cost time or tokens",
  brief: "Report on your own work",
  about:
    "Everything comes from the store, without a model. `standup` lists what was worked on by repository and branch: sessions, changed files, commits, pull requests, issues, and what was left open; beside that, your own commits from `git log` of the repositories that are on this machine. `tips` looks for patterns in your usage, each with the sessions and turns it was seen in and a suggestion. Secrets are removed from what is printed. `reindex` is `rethread index` under the name that Copilot CLI has for it.",
  isPaged: true,
  args: CHRONICLE_ARGS,
  examples: [
    { command: "rethread chronicle standup", why: "what did I do since yesterday?" },
    { command: "rethread chronicle standup --since monday --format md", why: "this week, ready to paste" },
    { command: "rethread chronicle tips --repo storefront", why: "what costs time in one repository?" },
  ],
  operations: [chronicleStandup, chronicleTips, indexStore],
  json: [
    { when: "of `standup`", schema: chronicleStandup.output },
    { when: "of `tips`", schema: chronicleTips.output },
    { when: "of `reindex`", schema: indexStore.output },
  ],
  run: (called) => REPORTS[called.args.report as keyof typeof REPORTS](called),
});
export default command;
