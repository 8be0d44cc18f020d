/** `rethread checkpoint`: lists, shows and creates the summaries of a session. */

import { AppError } from "../../../model/errors.ts";
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { checkpointCreate, compact } from "../../../operations/changes/compact.ts";
import { checkpoint, checkpoints } from "../../../operations/questions/checkpoints.ts";
import { defineCommand } from "../../command.ts";
import { SESSION_ARG } from "../../filters.ts";
import { printCheckpoint, printCheckpoints } from "../../print/answers/checkpoints.ts";
import { CHANGING_ARGS, expectAgreement, runWriting, WITH_ARG } from "../../writing.ts";

export default defineCommand({
  name: "checkpoint",
  summary: "List, read or write the summaries of a session (its checkpoints)",
  brief: "List, read or write the summaries of a session",
  about:
    "Every compaction leaves a checkpoint; `list` and `show` read them, in sessions of any agent. `create` summarizes everything so far and writes the checkpoint beside a Copilot CLI session, where Copilot CLI finds it, too; the log does not change, and neither does what the model receives next. To continue with the summary instead of the turns, use `compact`.",
  args: {
    action: {
      kind: "positional",
      choices: ["list", "show", "create"],
      help: "what to do",
    },
    ...SESSION_ARG,
    number: {
      kind: "positional",
      optional: true,
      help: "the number of the checkpoint, for `show` (default: the latest)",
    },
    title: {
      kind: "text",
      value: "title",
      help: "the title of the checkpoint, for `create` (default: taken from the first request)",
    },
    ...WITH_ARG,
    ...CHANGING_ARGS,
  },
  examples: [
    {
      command: "rethread checkpoint list 0b1c2d3e",
      why: "which checkpoints there are, and which one the model receives",
    },
    { command: "rethread checkpoint show 0b1c2d3e 2", why: "read the second one" },
    {
      command: "rethread checkpoint create 0b1c2d3e --title 'Before the rewrite' --yes",
      why: "write one now",
    },
  ],
  operations: [checkpoints, checkpoint, checkpointCreate, apply, previewVendorRows],
  json: [
    { when: "`list`", schema: checkpoints.output },
    { when: "`show`", schema: checkpoint.output },
    {
      when: "`create`",
      schema: written(checkpointCreate.output),
      like: { command: "compact", schema: written(compact.output) },
    },
  ],
  async run({ args, config, out, openApp }) {
    const { action, session, title } = args;
    if (action === "create") {
      if (args.number !== undefined)
        throw new AppError("usage", "A new checkpoint gets the next number", "Leave out the number");
      expectAgreement(args);
      return runWriting(args, openApp, out, checkpointCreate, {
        session,
        ...(title !== undefined && { title }),
        ...(args.with !== undefined && { with: args.with }),
      });
    }
    const number = args.number === undefined ? undefined : toNumber(args.number);
    const app = await openApp();
    const page = {
      columns: out.columns,
      style: out.style,
      now: config.now(),
      isDemo: app.demo !== undefined,
    };
    if (action === "show") {
      const found = await out.progress("Reading the session", (call) =>
        checkpoint.run(app, { session, ...(number !== undefined && { number }) }, call),
      );
      if (args.json) out.json(checkpoint.toJson(found, app));
      else for (const line of printCheckpoint(found.checkpoint, page)) out.line(line);
      return 0;
    }
    const found = await out.progress("Reading the session", (call) =>
      checkpoints.run(app, { session }, call),
    );
    if (args.json) out.json(checkpoints.toJson(found, app));
    else for (const line of printCheckpoints(found, page)) out.line(line);
    return 0;
  },
});

function toNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new AppError(
    "usage",
    `"${text}" is not the number of a checkpoint`,
    "For example: rethread checkpoint show 0b1c2d3e 1",
  );
}
