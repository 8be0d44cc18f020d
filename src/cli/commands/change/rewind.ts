/** `rethread rewind`: cuts a session back to a turn. */

import { AppError } from "../../../model/errors.ts";
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { rewind } from "../../../operations/changes/rewind.ts";
import { defineCommand } from "../../command.ts";
import { SESSION_ARG } from "../../filters.ts";
import { toTurnOrEvent } from "../../parse/turn-or-event.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { CHANGING_ARGS, runWriting } from "../../writing.ts";

export default defineCommand({
  name: "rewind",
  summary: rewind.summary,
  about:
    "A session of Copilot CLI or Claude Code keeps its id. In Copilot CLI its checkpoints are removed with the turns that made them; in Claude Code the turns stay in the transcript as a branch that was left. The files of the workspace are not changed unless you add --files: it restores the states that the program recorded (Claude Code does so only in its terminal, not in `chat`), and leaves alone, and lists, those that were changed since; with --strict it refuses then. Files outside the session's folder and repository, and all files of a session whose folder is a home folder, need --outside. In VS Code the turns up to that point become a new session, unless --in-place cuts the original; VS Code must not be running.",
  args: {
    ...SESSION_ARG,
    to: {
      kind: "text",
      value: "turn|event",
      help: "the last turn to keep, counted from 0, or the id of the first event to remove",
    },
    files: {
      kind: "flag",
      help: "restore the workspace's files to their state before the removed turns",
    },
    outside: {
      kind: "flag",
      help: "with --files: also restore files outside the session's folder",
    },
    strict: {
      kind: "flag",
      help: "with --files: refuse when a file was changed since, instead of leaving it as it is",
    },
    inPlace: { kind: "flag", help: "for VS Code: cut the session itself instead of making a new one" },
    ...CHANGING_ARGS,
    ...WHEN_CLOSED_ARGS,
  },
  examples: [
    { command: "rethread rewind 0b1c2d3e --to 11", why: "see what would be removed, and confirm it" },
    {
      command: "rethread rewind 0b1c2d3e --to 11 --files",
      why: "also restore the files that those turns changed",
    },
    { command: "rethread undo", why: "bring the later turns back" },
  ],
  operations: [rewind, apply, previewVendorRows],
  json: [{ schema: written(rewind.output) }, JOB_SHAPE],
  run: ({ args, out, openApp }) => {
    const { session, to, files, outside, strict, inPlace } = args;
    if (to === undefined)
      throw new AppError("usage", "rewind needs the last turn to keep", {
        say: "Add --to <turn>; to see its turns",
        remedy: { action: "show", session },
      });
    for (const [option, isGiven] of Object.entries({ "--outside": outside, "--strict": strict }))
      if (isGiven && !files)
        throw new AppError(
          "usage",
          `${option} needs --files: it says which files to restore`,
          `Add --files, or leave out ${option}`,
        );
    return runWriting(args, openApp, out, rewind, {
      session,
      to: toTurnOrEvent(to),
      files,
      outside,
      strict,
      inPlace,
    });
  },
});
