/** `rethread rename`: another name for a session. */
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";
import { CHANGING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "rename",
  summary: "Give a session another name, which its own program shows as well",
  about: "For sessions of Copilot CLI and of VS Code, which must not be running. It can be undone.",
  args: { ...SESSION_ARG, name: { kind: "positional", help: "the new name" }, ...CHANGING_ARGS },
  examples: [{ command: "rethread rename 0b1c2d3e 'Checkout: retries' --yes", why: "without confirmation" }],
  json: WRITING_JSON,
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, (edit, call) => edit.planRename(args.session, args.name, call)),
});
