/** `rethread context`: shows what the model would receive on resume. */

import { context } from "../../../operations/questions/context.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG, SESSION_ARG } from "../../filters.ts";
import { printContext } from "../../print/answers/context.ts";

export default defineCommand({
  name: "context",
  summary: context.summary,
  brief: "Show what the model would receive on resume",
  about:
    "The system prompt and the new prompt are not included. Tokens are counted with the o200k tokenizer: exact for the models that use it, a close estimate for others. A single passage of more than 4 million characters is estimated from samples.",
  isPaged: true,
  args: { ...SESSION_ARG, full: { kind: "flag", help: "print every message in full" }, ...NO_REFRESH_ARG },
  examples: [
    { command: "rethread context 0b1c2d3e", why: "where the tokens go" },
    { command: "rethread context 0b1c2d3e --json", why: "the messages themselves, for a program" },
  ],
  operations: [context],
  async run({ args, out, openApp }) {
    const app = await openApp();
    const report = await out.progress("Reading the session", (call) =>
      context.run(app, { session: args.session }, toCall(call, args)),
    );
    if (args.json) out.json(context.toJson(report, app));
    else for (const line of printContext(report, args.full, out)) out.line(line);
    return 0;
  },
});
