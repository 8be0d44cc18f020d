/** `rethread fork`: a session up to a turn, as a new one. */
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";
import { ADDING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "fork",
  summary: "Copy a session up to a turn into a new one; the original keeps all its turns",
  about:
    "Like Copilot CLI's own fork, but including the file states to rewind to. In the original, only its count of forks changes. For sessions of Copilot CLI and of VS Code, which must not be running.",
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
      help: `the fork's name (default: the original's, with "(fork)")`,
    },
    ...ADDING_ARGS,
  },
  examples: [
    { command: "rethread fork 0b1c2d3e --at 11", why: "try something else after turn 11" },
    { command: "rethread fork 0b1c2d3e --at 11 --dry-run", why: "see what would be written first" },
  ],
  json: WRITING_JSON,
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, (edit, call) =>
      edit.planFork(
        args.session,
        {
          ...(args.at !== undefined && { at: toTurnOrEvent(args.at) }),
          ...(args.name !== undefined && { name: args.name }),
        },
        call,
      ),
    ),
});

/** A turn by its number, anything else names an event. */
const toTurnOrEvent = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text);
