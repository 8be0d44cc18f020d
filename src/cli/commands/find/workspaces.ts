/** `rethread workspaces`: lists workspaces and their ids. */

import { workspaces } from "../../../operations/questions/workspaces.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG, SOURCE_ARG } from "../../filters.ts";

export default defineCommand({
  name: "workspaces",
  summary: workspaces.summary,
  brief: "List workspaces, with the ids that --to takes",
  about:
    "VS Code has an id for every folder, .code-workspace file and remote folder that it ever opened; all of them are listed, also those without chats, since a chat can be cloned or moved there. A folder that was deleted and created again has a new id, so one path may be listed twice. For other agents the workspace is the folder, which has no id.",
  isPaged: true,
  args: { ...SOURCE_ARG, ...NO_REFRESH_ARG },
  examples: [
    { command: "rethread workspaces", why: "every workspace, the one used last first" },
    { command: "rethread workspaces --source vscode --json", why: "the ids for clone --to, for a program" },
  ],
  operations: [workspaces],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const input = args.source.length > 0 ? { sources: args.source } : {};
    const answer = await out.progress("Reading sessions", (call) =>
      workspaces.run(app, input, toCall(call, args)),
    );
    if (args.json) out.json(workspaces.toJson(answer, app));
    else {
      const { printWorkspaceList } = await import("../../print/answers/workspaces.ts");
      const setting = {
        homeDir: config.environment.homeDir,
        now: config.now(),
        isFiltered: args.source.length > 0,
        isDemo: app.demo !== undefined,
      };
      for (const line of printWorkspaceList(answer, setting, out)) out.line(line);
    }
    return 0;
  },
});
