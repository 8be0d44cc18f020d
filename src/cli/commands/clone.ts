/** `rethread clone`: the same session under a new id. */
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";
import { ADDING_ARGS, runWriting, WITH_ARG, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "clone",
  summary: "Copy a session under a new id; the original is left as it is",
  about:
    "Unless something is to be left out, everything comes along: the log line for line, plan, checkpoints, files, and the file states to rewind to. For sessions of Copilot CLI and VS Code, which must not be running; it lists the clone when it starts, in the same workspace or the one that --to names.",
  args: {
    ...SESSION_ARG,
    to: {
      kind: "text",
      value: "folder",
      help: "the folder that the clone is about, instead of the original's; in VS Code also a .code-workspace file, or the id of a workspace",
    },
    name: { kind: "text", value: "name", help: "what the clone is called (default: as the original)" },
    dropTools: { kind: "flag", help: "leave out all tool calls and their results; what was said stays" },
    tools: {
      kind: "text",
      value: "how",
      help: "oldest:80% leaves out the oldest calls with their results, truncate:2000 cuts what is longer than so many characters",
    },
    dropThinking: { kind: "flag", help: "leave out what the model thought" },
    dropOldest: {
      kind: "text",
      value: "turns",
      help: "leave out the oldest turns: 50%, or a number of them; a note at the front says so, and how to read them",
    },
    budget: {
      kind: "text",
      value: "tokens",
      help: "leave out as much as it takes, such as 60k: bulk first, then old turns; the first request, errors and what mended them, files touched and the last turns stay longest",
    },
    summarize: {
      kind: "flag",
      help: "with --drop-oldest or --budget: a summary stands for the turns that go, as `compact` makes it",
    },
    ...WITH_ARG,
    ...ADDING_ARGS,
  },
  examples: [
    { command: "rethread clone 0b1c2d3e", why: "a copy to try something on" },
    { command: "rethread clone 0b1c2d3e --to ../other --name 'Port it'", why: "take it to another folder" },
    {
      command: "rethread clone 0b1c2d3e --budget 60k",
      why: "go on with what matters of a session that is too long",
    },
    { command: "rethread clone 0b1c2d3e --drop-oldest 50% --drop-tools", why: "choose what to leave behind" },
    {
      command: "rethread clone 0b1c2d3e --drop-oldest 50% --summarize",
      why: "a summary in place of the first half",
    },
  ],
  json: {
    ...WRITING_JSON,
    ledger:
      "what was left out: `turns`, `toolCalls`, `texts`, `thoughts`, each with how many were `kept`, `cut` and `dropped`; null when all of it came along",
    checkpoint: "with `--summarize`: `number`, `title`, `path`, `summary`; missing where no turn goes",
  },
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, (edit, progress) =>
      edit.planClone(
        args.session,
        {
          ...(args.to !== undefined && { to: args.to }),
          ...(args.name !== undefined && { name: args.name }),
          ...(args.tools !== undefined && { tools: args.tools }),
          ...(args.dropOldest !== undefined && { dropOldest: args.dropOldest }),
          ...(args.budget !== undefined && { budget: args.budget }),
          ...(args.with !== undefined && { with: args.with }),
          summarize: args.summarize,
          dropTools: args.dropTools,
          dropThinking: args.dropThinking,
        },
        progress,
      ),
    ),
});
