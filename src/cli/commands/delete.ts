/** `rethread delete`: takes a session away, with a backup. */
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";
import { CHANGING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "delete",
  summary: "Delete a session with all its files; a backup is kept, so it can be undone",
  about:
    "For sessions of Copilot CLI and of VS Code, which must not be running. In VS Code the entry in its list is removed first, then the session's file, the saved states of edited files, and the extension's transcript.",
  args: { ...SESSION_ARG, ...CHANGING_ARGS },
  examples: [
    { command: "rethread delete 0b1c2d3e", why: "see what would be removed, and confirm it" },
    { command: "rethread undo", why: "bring it back" },
  ],
  json: WRITING_JSON,
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, (edit, call) => edit.planDelete(args.session, call)),
});
