/** `rethread resume`: the session's own program, started on it in the right folder. */

import { AppError } from "../../model/errors.ts";
import { toShell } from "../../model/shell-words.ts";
import { launch } from "../../operations/launch.ts";
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";

export default defineCommand({
  name: "resume",
  summary: "Start a session's own program on it, in the folder that the work is about",
  about:
    "Copilot CLI and Claude Code go on with the session; VS Code opens its folder, where the chat is in the list. Where the folder is gone, Copilot CLI and Claude Code start here, and VS Code not at all.",
  args: {
    ...SESSION_ARG,
    print: { kind: "flag", help: "print the command instead of running it" },
  },
  examples: [
    { command: "rethread resume 'flaky login'", why: "go on where you stopped" },
    { command: 'eval "$(rethread resume 0b1c2d3e --print)"', why: "in this shell" },
  ],
  operations: [launch],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const planned = await launch.run(app, { session: args.session });
    const { label, words, folder, missing } = planned;
    if (args.json) {
      out.json(launch.toJson(planned, app));
      return 0;
    }
    if (args.print) {
      const command = toShell(words);
      out.line(folder === undefined ? command : `cd ${toShell([folder])} && ${command}`);
      return 0;
    }
    if (missing !== undefined) out.note(`${missing} is not here, so ${label} starts in this folder.`);
    const code = await app.start(planned, folder ?? config.folder);
    if (code !== undefined) return code;
    throw new AppError(
      "program-missing",
      `There is no ${words[0]} on this machine`,
      `Install ${label}, or run this where it is: ${toShell(words)}`,
    );
  },
});
