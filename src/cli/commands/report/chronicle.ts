/** `rethread chronicle`: reports on one's own work. */
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import {
  chronicleImprove,
  improve as writeImprovements,
} from "../../../operations/reports/chronicle-improve.ts";
import { chronicleStandup } from "../../../operations/reports/chronicle-standup.ts";
import { chronicleTips } from "../../../operations/reports/chronicle-tips.ts";
import { indexStore } from "../../../operations/upkeep/index-store.ts";
import { type AnyCommand, defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG, WORK_FILTER_ARGS } from "../../filters.ts";
import { AGREED_ARGS } from "../../writing.ts";
import { improve } from "./chronicle/improve.ts";
import { checkOptions } from "./chronicle/options.ts";
import { reindex } from "./chronicle/reindex.ts";
import { standup } from "./chronicle/standup.ts";
import { tips } from "./chronicle/tips.ts";

const REPORTS = { standup, tips, improve, reindex } as const;

export const CHRONICLE_ARGS = {
  report: {
    kind: "positional",
    choices: ["standup", "tips", "improve", "reindex"],
    help: "standup (what was worked on), tips (habits that cost time or tokens), improve (lines for AGENTS.md and the like), reindex (as `rethread index`)",
  },
  ...WORK_FILTER_ARGS,
  since: {
    kind: "text",
    value: "time",
    help: "only what was done since then: 24h, yesterday, monday, 7d, 2026-07-01 (default: standup 24h, the others 90d)",
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
  file: {
    kind: "list",
    value: "name",
    help: "improve: write to this file (AGENTS.md, copilot-instructions.md, CLAUDE.md); may be repeated (default: those that are there, or else AGENTS.md)",
  },
  only: {
    kind: "list",
    value: "id",
    help: "improve: take only this proposal, by the id that is listed with it; may be repeated",
  },
  apply: {
    kind: "flag",
    help: "improve: write the proposed lines, after showing the diff; `undo` takes them back",
  },
  ...AGREED_ARGS,
  prompt: { kind: "flag", help: "print the data as a prompt for a model of your choice" },
  with: {
    kind: "text",
    value: "command",
    help: "let this word the report: copilot or claude (your own Copilot CLI or Claude Code; one model request, and no session is left behind), or a shell command that reads the prompt on stdin; an answer with numbers or ids that are not in the data is not used",
  },
  noGit: { kind: "flag", help: "standup: leave out your commits that only git knows of" },
  ...NO_REFRESH_ARG,
} as const;

const command: AnyCommand = defineCommand({
  name: "chronicle",
  summary:
    "Report on your own work: what was done, which habits cost time or tokens, and what agents should be told",
  brief: "Report on your own work",
  about:
    "Everything comes from the store, without a model. `standup` lists what was worked on by repository and branch: sessions, changed files, commits, pull requests, issues, and what was left open; beside that, your own commits from `git log` of the repositories that are on this machine. `tips` looks for patterns in your usage, each with the sessions and turns it was seen in and a suggestion. `improve` finds where the agent was corrected, tried the wrong command first, needed many runs, or was reverted, and proposes lines for the instruction files of those repositories; --apply writes them. Secrets are removed from what is printed. `reindex` is `rethread index` under the name that Copilot CLI has for it.",
  isPaged: true,
  args: CHRONICLE_ARGS,
  examples: [
    { command: "rethread chronicle standup", why: "what did I do since yesterday?" },
    { command: "rethread chronicle standup --since monday --format md", why: "this week, ready to paste" },
    { command: "rethread chronicle standup --with copilot", why: "worded by your own Copilot CLI" },
    { command: "rethread chronicle tips --repo storefront", why: "what costs time in one repository?" },
    { command: "rethread chronicle improve --repo storefront", why: "what should agents be told there?" },
    {
      command: "rethread chronicle improve --repo storefront --apply",
      why: "write it, after a look at the diff",
    },
  ],
  operations: [
    chronicleStandup,
    chronicleTips,
    chronicleImprove,
    writeImprovements,
    apply,
    previewVendorRows,
    indexStore,
  ],
  json: [
    { when: "of `standup`", schema: chronicleStandup.output },
    { when: "of `tips`", schema: chronicleTips.output },
    { when: "of `improve`", schema: chronicleImprove.output },
    { when: "of `improve --apply`", schema: written(writeImprovements.output) },
    { when: "of `reindex`", schema: indexStore.output },
  ],
  run(called) {
    checkOptions(called);
    return REPORTS[called.args.report as keyof typeof REPORTS](called);
  },
});
export default command;
