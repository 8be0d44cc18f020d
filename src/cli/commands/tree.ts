/** `rethread tree`: which session came from which. */
import { toRelativeJson } from "../../present/json/answers.ts";
import { defineCommand } from "../command.ts";
import { NO_REFRESH_ARG, SESSION_ARG } from "../filters.ts";

export default defineCommand({
  name: "tree",
  summary: "Show forks, clones and handoffs as trees: which session came from which",
  about:
    "Parents are those that the agents' own logs tell, and those of sessions that rethread made. A parent that is not on this machine is shown with the title its child remembers.",
  args: {
    session: {
      ...SESSION_ARG.session,
      help: "only the family of this one: any unique start of its id, its title, or source:id",
      optional: true,
    },
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread tree", why: "all families" },
    { command: "rethread tree 0b1c2d3e", why: "where one session came from, and what came from it" },
  ],
  json: {
    "families[]":
      "the first of each family, and in `children[]` those that came from it, in the order they were made: `source`, `id`, `title`, `kind` (`fork`, `clone`, `branch`, `handoff`, `import`; null for the first), `isHere`, `turns`, `createdAt`, `updatedAt`, `vanishedAt`, `children[]`",
  },
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const { families, asked } = await out.progress("Reading sessions", (progress) =>
      app.tree({
        progress,
        noRefresh: args.noRefresh,
        ...(args.session !== undefined && { name: args.session }),
      }),
    );
    if (args.json) out.json({ families: families.map(toRelativeJson) });
    else {
      const { printTree } = await import("../print/tree.ts");
      const setting = { isDemo: app.demo !== undefined, now: config.now(), ...(asked && { asked }) };
      for (const line of printTree(families, setting, out)) out.line(line);
    }
    return 0;
  },
});
