/** `rethread` alone: shows what is on this machine, on one screen. */

import { VERSION } from "../../../app/version.ts";
import { overview } from "../../../operations/questions/overview.ts";
import { commandText } from "../../../present/text/command-text.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG, SOURCE_ARG } from "../../filters.ts";
import { printOverview } from "../../print/answers/overview.ts";

/** As `serve` without options. */
const ALONE = { port: undefined, readOnly: false, host: undefined, tlsCert: undefined, tlsKey: undefined };

export default defineCommand({
  name: "overview",
  summary: "Show what is on this machine, on one screen (the default command)",
  brief: "Show what is on this machine (the default command)",
  args: {
    ...SOURCE_ARG,
    ...NO_REFRESH_ARG,
    serve: {
      kind: "flag",
      help: "then open the web app, where somebody is at the terminal; else say how",
    },
    noOpen: { kind: "flag", help: "with --serve: print the address, and open no browser" },
  },
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
      if (!args.serve) return 0;
      out.line();
      if (config.canAsk) {
        const { runServer } = await import("../serve/serve.ts");
        return runServer({ ...ALONE, noOpen: args.noOpen, json: false }, { config, out, app });
      }
      out.line(`Open the web app: ${out.style.cyan(commandText(["serve"], app.demo !== undefined))}`);
      return 0;
    }
    out.json(overview.toJson(answer, app));
    return 0;
  },
});
