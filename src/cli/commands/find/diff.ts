/** `rethread diff`: compares two sessions. */

import { diff } from "../../../operations/questions/diff.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG } from "../../filters.ts";
import { printDiff } from "../../print/answers/diff.ts";

export default defineCommand({
  name: "diff",
  summary: diff.summary,
  about:
    "Turns are compared by what was said and done, not by ids and times. Between two programs, tool names and the form of results are not compared either. Files and commands are those of the turns that differ; tokens are those that the next request would send, as in `context`.",
  isPaged: true,
  args: {
    a: {
      kind: "positional",
      session: true,
      help: "a session: any unique start of its id, its title, or source:id",
    },
    b: { kind: "positional", session: true, help: "the session to compare it with, named in the same way" },
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread diff 0b1c2d3e 4f5a6b7c", why: "a session and its fork" },
    { command: "rethread diff 0b1c2d3e 4f5a6b7c --json", why: "the same for a script" },
  ],
  operations: [diff],
  async run({ args, out, openApp }) {
    const app = await openApp();
    const { a, b } = args;
    const compared = await out.progress("Comparing", (call) => diff.run(app, { a, b }, toCall(call, args)));
    if (args.json) out.json(diff.toJson(compared, app));
    else for (const line of printDiff(compared, app.demo !== undefined, out)) out.line(line);
    return 0;
  },
});
