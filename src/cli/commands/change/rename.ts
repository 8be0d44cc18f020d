/** `rethread rename`: renames a session. */
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { rename } from "../../../operations/changes/rename.ts";
import { defineCommand } from "../../command.ts";
import { SESSION_ARG } from "../../filters.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { CHANGING_ARGS, runWriting } from "../../writing.ts";

export default defineCommand({
  name: "rename",
  summary: rename.summary,
  about: "For sessions of Copilot CLI and of VS Code, which must not be running. It can be undone.",
  args: {
    ...SESSION_ARG,
    name: { kind: "positional", ask: "New name", help: "the new name" },
    ...CHANGING_ARGS,
    ...WHEN_CLOSED_ARGS,
  },
  examples: [{ command: "rethread rename 0b1c2d3e 'Checkout: retries' --yes", why: "without confirmation" }],
  operations: [rename, apply, previewVendorRows],
  json: [{ schema: written(rename.output) }, JOB_SHAPE],
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, rename, { session: args.session, name: args.name }),
});
