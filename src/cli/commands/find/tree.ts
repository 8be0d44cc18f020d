/** `rethread tree`: shows which session came from which. */

import { tree } from "../../../operations/questions/tree.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG, SESSION_ARG } from "../../filters.ts";

export default defineCommand({
  name: "tree",
  summary: tree.summary,
  brief: "Show which session came from which",
  about:
    "Parents come from the agents' own logs and, for sessions that rethread made, from its records. A parent that is not on this machine is shown with the title that its child recorded.",
  isPaged: true,
  args: {
    session: {
      ...SESSION_ARG.session,
      help: "show only the family of this session: any unique start of its id, its title, or source:id",
      optional: true,
    },
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread tree", why: "all families" },
    { command: "rethread tree 0b1c2d3e", why: "where one session came from, and what came from it" },
  ],
  operations: [tree],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const input = { ...(args.session !== undefined && { session: args.session }) };
    const answer = await out.progress("Reading sessions", (call) => tree.run(app, input, toCall(call, args)));
    const { families, asked } = answer;
    if (args.json) out.json(tree.toJson(answer, app));
    else {
      const { printTree } = await import("../../print/answers/tree.ts");
      const setting = { isDemo: app.demo !== undefined, now: config.now(), ...(asked && { asked }) };
      for (const line of printTree(families, setting, out)) out.line(line);
    }
    return 0;
  },
});
