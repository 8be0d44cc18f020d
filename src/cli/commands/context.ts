/** `rethread context`: what the model would receive on resume. */

import { toContextJson } from "../../present/json/answers.ts";
import { defineCommand } from "../command.ts";
import { NO_REFRESH_ARG, SESSION_ARG } from "../filters.ts";
import { printContext } from "../print/context.ts";

export default defineCommand({
  name: "context",
  summary: "Print the messages the model would receive if the session were resumed, and what they cost",
  about:
    "The system prompt and the new prompt are left out. Tokens are counted with the o200k tokenizer: exact for the models that use it, a close estimate for others.",
  args: { ...SESSION_ARG, full: { kind: "flag", help: "print every message whole" }, ...NO_REFRESH_ARG },
  examples: [
    { command: "rethread context 0b1c2d3e", why: "where the tokens go" },
    { command: "rethread context 0b1c2d3e --json", why: "the messages themselves, for a program" },
  ],
  json: {
    session: "as in `list`",
    "messages[]":
      "`role` (`user`, `assistant`, `tool`), `text`, `thinking`, `toolCalls[]` (`id`, `name`, `arguments` as an object), `toolCallId`, `isError`, `madeUp` (words of the program, not of a person), `tokens`",
    tokens: "in all",
    "problems[]": "damage, as in `show`: what the program drops, or stumbles over and may refuse to resume",
    byRole: "tokens of `user`, `assistant` and `tool` messages",
    "shares[]":
      "`kind` (`prompts`, `answers`, `thinking`, `tool-calls`, `tool-results`, `made-up`), `tool`, `tokens`, `count`; largest first",
  },
  async run({ args, out, openApp }) {
    const app = await openApp();
    const report = await out.progress("Reading the session", (progress) =>
      app.context(args.session, { progress, noRefresh: args.noRefresh }),
    );
    if (args.json) out.json(toContextJson(report));
    else for (const line of printContext(report, args.full, out)) out.line(line);
    return 0;
  },
});
