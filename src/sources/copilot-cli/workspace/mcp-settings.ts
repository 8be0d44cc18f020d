/** How Copilot CLI is told of MCP servers: as `copilot mcp add` writes it (1.0.102). It also reads comments. */
import type { McpSettings } from "../../mcp-settings.ts";
import { under } from "./locate.ts";

export const mcpSettings: McpSettings = {
  file: (_, root) => under(root, "mcp-config.json"),
  section: "mcpServers",
  isStrict: false,
  entry: ({ command, args, env }) => ({ tools: ["*"], type: "local", command, args, env }),
  effect: "Copilot CLI starts it in every session from now on; see it with: copilot mcp list",
};
