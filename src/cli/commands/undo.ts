/** `rethread undo`: takes back one of our writes. */
import { AppError } from "../../model/errors.ts";
import { defineCommand } from "../command.ts";
import { CHANGING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "undo",
  summary: "Take back a write: every file is again as it was before, to the byte",
  about:
    "Without an operation, the last write that was not undone yet. Files count as unchanged as long as they hold the same bytes. When somebody has changed them since, nothing is done, as that would be lost: --as-copy then brings back what was there before as a new session. An undo is a write as well, and can be undone by its name.",
  args: {
    operation: {
      kind: "positional",
      optional: true,
      help: "as the write itself and `rethread history` name it (default: the last one)",
    },
    asCopy: {
      kind: "flag",
      help: "leave everything as it is, and make a new session of what was there before the write",
    },
    to: { kind: "text", value: "folder", help: "with --as-copy: the folder that the new session is about" },
    ...CHANGING_ARGS,
  },
  examples: [
    { command: "rethread undo --yes", why: "take back the last write" },
    { command: "rethread undo 3f2a9c1e", why: "or another one" },
    {
      command: "rethread undo 3f2a9c1e --as-copy",
      why: "have what was there before beside what is there now",
    },
  ],
  json: { ...WRITING_JSON, "plan.undoes": "the operation that is taken back" },
  run({ args, out, openApp }) {
    const { operation, asCopy, to, yes, ...rest } = args;
    if (!asCopy && to !== undefined)
      throw new AppError("usage", "--to goes with --as-copy", "Add --as-copy, or leave out --to");
    // A new session changes nothing that is there, so nobody is asked.
    return asCopy
      ? runWriting(rest, openApp, out, (edit) =>
          edit.planBackupCopy(operation, to === undefined ? {} : { to }),
        )
      : runWriting({ ...rest, yes }, openApp, out, (edit) => edit.planUndo(operation));
  },
});
