/** How VS Code is told of MCP servers of the user: `mcp.json` of the default profile, beside `settings.json`. */
import { pathsSpelledAs } from "../../model/values/paths.ts";
import type { McpSettings } from "../mcp-settings.ts";
import { isOfServer } from "./index-db/locate.ts";

export const mcpSettings: McpSettings = {
  // A remote window takes the settings of the user from the machine that it is shown on.
  file: (_, root) => (isOfServer(root) ? undefined : pathsSpelledAs(root).join(root, "mcp.json")),
  section: "servers",
  isStrict: false,
  entry: ({ command, args, env }) => ({ type: "stdio", command, args, env }),
  effect: "VS Code offers it in agent mode; start it there, or with the command MCP: List Servers",
};
