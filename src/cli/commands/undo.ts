/** `rethread undo`: takes back one of our writes. */
import { defineCommand } from "../command.ts";
import { CHANGING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "undo",
  summary: "Take back a write: every file is again as it was before, to the byte",
  about:
    "Without an operation, the last write that was not undone yet. When somebody has changed the files since, nothing is done, as that would be lost.",
  args: {
    operation: {
      kind: "positional",
      optional: true,
      help: "as the write itself and `rethread history` name it (default: the last one)",
    },
    ...CHANGING_ARGS,
  },
  examples: [
    { command: "rethread undo --yes", why: "take back the last write" },
    { command: "rethread undo 3f2a9c1e", why: "or another one" },
  ],
  json: { ...WRITING_JSON, "plan.undoes": "the operation that is taken back" },
  run: ({ args, out, openApp }) => runWriting(args, openApp, out, (edit) => edit.planUndo(args.operation)),
});
