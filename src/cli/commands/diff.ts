/** `rethread diff`: what two sessions share, and where they part. */
import { toDiffJson } from "../../present/json/answers.ts";
import { defineCommand } from "../command.ts";
import { NO_REFRESH_ARG } from "../filters.ts";
import { printDiff } from "../print/diff.ts";

export default defineCommand({
  name: "diff",
  summary: "Compare two sessions: the turns they share, then what differs",
  about:
    "Turns are compared by what was said and done; ids and times do not count. Between two programs the names of their tools and the form of results do not count either. Files and commands are those of the turns that differ; tokens are what the next request would carry, as in `context`.",
  args: {
    a: { kind: "positional", help: "a session: any unique start of its id, its title, or source:id" },
    b: { kind: "positional", help: "another one" },
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread diff 0b1c2d3e 4f5a6b7c", why: "a session and its fork" },
    { command: "rethread diff 0b1c2d3e 4f5a6b7c --json", why: "the same for a script" },
  ],
  json: {
    "a, b": "the sessions as in `list`, with `tokens` (`null` where the source cannot tell)",
    same: "nothing that was said or done differs",
    shared: "how many turns are the same from the first on",
    preambleDiffers: "what stands before the first prompt is not the same",
    "turns[]":
      "in order: `change` (`same`, `changed`, `only-a`, `only-b`), `a` and `b` (the turn's index, or `null`), `count` (of turns that are the same), `user` (its beginning), `differs[]` of a changed one (`answer`, `thinking`, `calls`, `results`)",
    "files, commands": "of the turns that differ: `onlyA[]`, `onlyB[]`, `both[]`",
  },
  async run({ args, out, openApp }) {
    const app = await openApp();
    const diff = await out.progress("Comparing", (progress) =>
      app.diff(args.a, args.b, { progress, noRefresh: args.noRefresh }),
    );
    if (args.json) out.json(toDiffJson(diff));
    else for (const line of printDiff(diff, app.demo !== undefined, out)) out.line(line);
    return 0;
  },
});
