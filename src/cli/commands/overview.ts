/** `rethread` alone: shows what is on this machine, on one screen. */

import { VERSION } from "../../app/version.ts";
import { overview } from "../../operations/overview.ts";
import { toCall } from "../calling.ts";
import { defineCommand } from "../command.ts";
import { NO_REFRESH_ARG, SOURCE_ARG } from "../filters.ts";
import { printOverview } from "../print/answers/overview.ts";

export default defineCommand({
  name: "overview",
  summary: "Show what is on this machine, on one screen (the default command)",
  brief: "Show what is on this machine (the default command)",
  args: { ...SOURCE_ARG, ...NO_REFRESH_ARG },
  examples: [
    { command: "rethread", why: "what is here, and three commands to try next" },
    { command: "rethread --demo", why: "the same, with sample sessions" },
  ],
  operations: [overview],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const input = { ...(args.source.length > 0 && { sources: args.source }) };
    const answer = await out.progress("Reading sessions", (call) =>
      overview.run(app, input, toCall(call, args)),
    );
    if (!args.json) {
      for (const line of printOverview(
        answer,
        { config, demo: app.demo !== undefined, version: VERSION },
        out,
      ))
        out.line(line);
      return 0;
    }
    out.json(overview.toJson(answer, app));
    return 0;
  },
});
