/** `rethread compact`: replaces a session's older turns by a summary. */

import { AppError } from "../../../model/errors.ts";
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { compact } from "../../../operations/changes/compact.ts";
import { defineCommand } from "../../command.ts";
import { SESSION_ARG } from "../../filters.ts";
import { CHANGING_ARGS, expectAgreement, runWriting, WITH_ARG } from "../../writing.ts";

export default defineCommand({
  name: "compact",
  summary: compact.summary,
  about:
    "The session keeps its id. Its program then sends the summary and the kept turns, and nothing twice. In Copilot CLI the older turns are removed from the log, and `undo` brings them back; in Claude Code they stay in the transcript, as after its own /compact. The summary is made from the turns themselves: requests, what was done, decisions, errors and their fixes, files, and open ends, in at most 16,000 characters; earlier summaries are merged into it. It becomes a checkpoint. For sessions of Copilot CLI and Claude Code.",
  args: {
    ...SESSION_ARG,
    keep: { kind: "number", value: "turns", help: "how many turns to keep at the end (default: 3)" },
    append: {
      kind: "flag",
      help: "compact as the program does: append a summary of everything and remove nothing from the log; Copilot CLI then sends every old prompt with the summary",
    },
    ...WITH_ARG,
    ...CHANGING_ARGS,
  },
  examples: [
    { command: "rethread compact 0b1c2d3e --dry-run", why: "read the summary first" },
    { command: "rethread compact 0b1c2d3e --keep 5 --yes", why: "without confirmation" },
    {
      command: "rethread compact 0b1c2d3e --with copilot",
      why: "have your own Copilot CLI write the summary",
    },
    { command: "rethread undo", why: "bring the older turns back" },
  ],
  operations: [compact, apply, previewVendorRows],
  json: [{ schema: written(compact.output) }],
  run: ({ args, out, openApp }) => {
    const { session, keep, append } = args;
    if (append && keep !== undefined)
      throw new AppError(
        "usage",
        "--append and --keep cannot be combined: an appended summary covers everything before it",
        "Use only one of them",
      );
    expectAgreement(args);
    return runWriting(args, openApp, out, compact, {
      session,
      append,
      ...(keep !== undefined && { keep }),
      ...(args.with !== undefined && { with: args.with }),
    });
  },
});
