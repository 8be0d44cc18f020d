/** How Claude Code is told of MCP servers of the user: as `claude mcp add --scope user` writes it (2.1.325). */
import { join } from "node:path";
import type { McpSettings } from "../mcp-settings.ts";
import { ROOT_VARIABLE } from "./locate.ts";

export const mcpSettings: McpSettings = {
  // Beside its folder, unless that is chosen: then inside of it.
  file: (env, root) => join(env.vars[ROOT_VARIABLE] ? root : env.homeDir, ".claude.json"),
  section: "mcpServers",
  // A comment makes it put the file aside as corrupted.
  isStrict: true,
  entry: ({ command, args, env }) => ({ type: "stdio", command, args, env }),
  effect: "Claude Code starts it in every session from now on; see it with: claude mcp list",
};
