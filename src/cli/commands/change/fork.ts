/** `rethread fork`: copies a session up to a turn. */
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { fork } from "../../../operations/changes/fork.ts";
import { defineCommand } from "../../command.ts";
import { SESSION_ARG } from "../../filters.ts";
import { toTurnOrEvent } from "../../parse/turn-or-event.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { ADDING_ARGS, runWriting } from "../../writing.ts";

export default defineCommand({
  name: "fork",
  summary: fork.summary,
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
    ...WHEN_CLOSED_ARGS,
  },
  examples: [
    { command: "rethread fork 0b1c2d3e --at 11", why: "try something else after turn 11" },
    { command: "rethread fork 0b1c2d3e --at 11 --dry-run", why: "see what would be written first" },
  ],
  operations: [fork, apply, previewVendorRows],
  json: [{ schema: written(fork.output) }, JOB_SHAPE],
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, fork, {
      session: args.session,
      ...(args.at !== undefined && { at: toTurnOrEvent(args.at) }),
      ...(args.name !== undefined && { name: args.name }),
    }),
});
