/** `rethread` alone: what is here, in one screen. */

import { toOverviewJson } from "../../present/json/answers.ts";
import { defineCommand } from "../command.ts";
import { NO_REFRESH_ARG, SOURCE_ARG } from "../filters.ts";
import { printOverview } from "../print/overview.ts";
import { VERSION } from "../version.ts";

export default defineCommand({
  name: "overview",
  summary: "Say in one screen what is on this machine (the default command)",
  args: { ...SOURCE_ARG, ...NO_REFRESH_ARG },
  examples: [
    { command: "rethread", why: "what is here, and three commands to go on with" },
    { command: "rethread --demo", why: "the same on made-up sessions" },
  ],
  json: {
    "sources[]":
      "`source`, `label`, `roots[]` (where it looked), `sessions`, `turns`, `bytes`, `lastActivity`",
    "sessions, turns": "how many in all",
    "damaged, troubled": "sessions that lost content; intact ones that their program hides or will lose",
    vanished: "sessions whose files are gone, kept in the store; the other numbers leave them out",
    "weeks[]": "`start`, `turns`: prompts a week, oldest first",
    "suggestions[]": "`command`, `why`, `session`, `count`",
  },
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const overview = await out.progress("Reading sessions", (progress) =>
      app.overview(
        { ...(args.source.length > 0 && { sources: args.source }), noRefresh: args.noRefresh },
        progress,
      ),
    );
    if (!args.json) {
      for (const line of printOverview(
        overview,
        { config, demo: app.demo !== undefined, version: VERSION },
        out,
      ))
        out.line(line);
      return 0;
    }
    out.json(toOverviewJson(overview, app.demo !== undefined));
    return 0;
  },
});
