/** `rethread resume`: continues a session in its own program and folder. */

import { AppError } from "../../model/errors.ts";
import { shellLineIn, toShell } from "../../model/text/shell-words.ts";
import { launch } from "../../operations/launch.ts";
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";

export default defineCommand({
  name: "resume",
  summary: "Continue a session in its own program, in the session's folder",
  about:
    "Copilot CLI and Claude Code resume the session; VS Code opens its folder, where the chat is in the list of chats. If the folder is gone, Copilot CLI and Claude Code start in the current folder, and VS Code does not start.",
  args: {
    ...SESSION_ARG,
    print: { kind: "flag", help: "print the command instead of running it" },
  },
  examples: [
    { command: "rethread resume 'flaky login'", why: "continue where you stopped" },
    { command: 'eval "$(rethread resume 0b1c2d3e --print)"', why: "run the command in this shell" },
  ],
  operations: [launch],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const planned = await launch.run(app, { session: args.session });
    const { label, words, vars, folder, missing } = planned;
    if (args.json) {
      out.json(launch.toJson(planned, app));
      return 0;
    }
    if (args.print) {
      if (missing !== undefined) out.note(`${missing} does not exist here, so run this in another folder.`);
      out.line(shellLineIn(folder, toShell(words), vars));
      return 0;
    }
    const { startInTerminal } = await import("../../app/launching.ts");
    if (missing !== undefined)
      out.note(`${missing} does not exist here, so ${label} starts in the current folder.`);
    const code = await startInTerminal(config, app.demo, planned, folder ?? config.folder);
    if (code !== undefined) return code;
    throw new AppError(
      "program-missing",
      `${words[0]} was not found on PATH`,
      `Install ${label}, or run this where it is installed: ${shellLineIn(folder, toShell(words), vars)}`,
    );
  },
});
