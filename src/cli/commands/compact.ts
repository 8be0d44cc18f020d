/** `rethread compact`: a summary in place of a session's older turns. */
import { AppError } from "../../model/errors.ts";
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";
import { CHANGING_ARGS, expectAgreement, runWriting, WITH_ARG, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "compact",
  summary: "Replace the older turns of a session by a summary; the last ones stay word for word",
  about:
    "It keeps its id. The older turns leave the log, so that its program sends the summary and the turns that stay, and nothing twice; `undo` brings them back. The summary is made from the turns themselves: requests, what was done, decided, broken and mended, files, what is open, in at most 16,000 characters; earlier summaries are taken up. It becomes a checkpoint. For sessions of Copilot CLI.",
  args: {
    ...SESSION_ARG,
    keep: { kind: "number", value: "turns", help: "how many turns stay at the end (default: 3)" },
    append: {
      kind: "flag",
      help: "as Copilot CLI itself does it: a summary of everything is appended and nothing leaves the log; every old prompt is then sent along with the summary",
    },
    ...WITH_ARG,
    ...CHANGING_ARGS,
  },
  examples: [
    { command: "rethread compact 0b1c2d3e --dry-run", why: "read the summary first" },
    { command: "rethread compact 0b1c2d3e --keep 5 --yes", why: "without being asked" },
    {
      command: "rethread compact 0b1c2d3e --with copilot",
      why: "let your own Copilot CLI write the summary",
    },
    { command: "rethread undo", why: "have the older turns back" },
  ],
  json: {
    ...WRITING_JSON,
    checkpoint: "`number`, `title`, `path`, `summary` that is written; missing where there was nothing to do",
    ledger:
      "how many `turns`, `toolCalls`, `texts` and `thoughts` were `kept` and `dropped`; null with `--append`",
  },
  run: ({ args, out, openApp }) => {
    const { session, keep, append } = args;
    if (append && keep !== undefined)
      throw new AppError(
        "usage",
        "--append and --keep exclude each other: what is appended stands for everything before it",
        "Give one of the two",
      );
    expectAgreement(args);
    return runWriting(args, openApp, out, (edit, progress) =>
      edit.planCompact(
        session,
        { append, ...(keep !== undefined && { keep }), ...(args.with !== undefined && { with: args.with }) },
        progress,
      ),
    );
  },
});
