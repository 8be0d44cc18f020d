/** `rethread delete`: deletes sessions, with a backup. */
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { deleteSession } from "../../../operations/changes/delete.ts";
import { defineCommand } from "../../command.ts";
import { SESSIONS_HELP } from "../../filters.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { CHANGING_ARGS, runWriting } from "../../writing.ts";

export default defineCommand({
  name: "delete",
  summary: deleteSession.summary,
  brief: "Delete sessions, with a backup",
  about:
    "For sessions of Copilot CLI and of VS Code, which must not be running. In VS Code the entry in its list is removed first, then the session's file, the saved states of edited files, and the extension's transcript.",
  args: {
    sessions: { kind: "positional", rest: true, session: true, help: SESSIONS_HELP },
    ...CHANGING_ARGS,
    ...WHEN_CLOSED_ARGS,
  },
  examples: [
    { command: "rethread delete 0b1c2d3e", why: "see what would be removed, and confirm it" },
    { command: "rethread delete 0b1c2d3e 4f5a6b7c", why: "several at once, with one question and one undo" },
    { command: "rethread undo", why: "bring it back" },
  ],
  operations: [deleteSession, apply, previewVendorRows],
  json: [{ schema: written(deleteSession.output) }, JOB_SHAPE],
  run: ({ args, out, openApp }) => runWriting(args, openApp, out, deleteSession, { sessions: args.sessions }),
});
