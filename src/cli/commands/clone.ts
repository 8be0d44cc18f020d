/** `rethread clone`: the same session under a new id. */
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";
import { DRY_RUN_ARG, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "clone",
  summary: "Copy a session under a new id; the original is left as it is",
  about:
    "Everything comes along: the log line for line, plan, checkpoints, files, and the file states to rewind to. For sessions of Copilot CLI.",
  args: {
    ...SESSION_ARG,
    to: {
      kind: "text",
      value: "folder",
      help: "the folder that the clone is about, instead of the original's",
    },
    name: { kind: "text", value: "name", help: "what the clone is called (default: as the original)" },
    ...DRY_RUN_ARG,
  },
  examples: [
    { command: "rethread clone 0b1c2d3e", why: "a copy to try something on" },
    { command: "rethread clone 0b1c2d3e --to ../other --name 'Port it'", why: "take it to another folder" },
  ],
  json: WRITING_JSON,
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, (edit, progress) =>
      edit.planClone(
        args.session,
        {
          ...(args.to !== undefined && { to: args.to }),
          ...(args.name !== undefined && { name: args.name }),
        },
        progress,
      ),
    ),
});
