/** `rethread fork`: a session up to a turn, as a new one. */
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";
import { ADDING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "fork",
  summary: "Copy a session, up to a turn, into a new one; the original's turns are left as they are",
  about:
    "As Copilot CLI's own fork, with the file states to rewind to, which that one leaves behind. The original only counts its forks. For sessions of Copilot CLI and VS Code, which must not be running.",
  args: {
    ...SESSION_ARG,
    at: {
      kind: "text",
      value: "turn|event",
      help: "the last turn to keep, counted from 0, or the id of the event to stop before (default: all)",
    },
    name: {
      kind: "text",
      value: "name",
      help: 'what the fork is called (default: as the original, with "(fork)")',
    },
    ...ADDING_ARGS,
  },
  examples: [
    { command: "rethread fork 0b1c2d3e --at 11", why: "go another way after turn 11" },
    { command: "rethread fork 0b1c2d3e --at 11 --dry-run", why: "see first what would be written" },
  ],
  json: WRITING_JSON,
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, (edit, progress) =>
      edit.planFork(
        args.session,
        {
          ...(args.at !== undefined && { at: args.at }),
          ...(args.name !== undefined && { name: args.name }),
        },
        progress,
      ),
    ),
});
