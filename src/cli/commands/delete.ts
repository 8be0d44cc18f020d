/** `rethread delete`: takes a session away, with a backup. */
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";
import { CHANGING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "delete",
  summary: "Take a session away with all its files; a backup is kept, so it can be undone",
  about:
    "For sessions of Copilot CLI and VS Code, which must not be running: its list forgets the session first, then its file, the states to undo edits to, and the extension's transcript go.",
  args: { ...SESSION_ARG, ...CHANGING_ARGS },
  examples: [
    { command: "rethread delete 0b1c2d3e", why: "see what would go, and be asked" },
    { command: "rethread undo", why: "have it back" },
  ],
  json: WRITING_JSON,
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, (edit, progress) => edit.planDelete(args.session, progress)),
});
