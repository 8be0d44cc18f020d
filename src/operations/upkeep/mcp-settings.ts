/** Adds this program to the MCP servers of an agent, or takes it away. */

import { planWith, toKeptPlanJson } from "../changes/planning.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { plan, serverFields } from "../schemas/plan.ts";

/** The programs that take MCP servers, by the names of their sources: spelt out, as the command table loads no source. */
export const MCP_AGENTS = ["copilot-cli", "vscode", "claude-code"] as const;

const agent = (z: Zod) => z.enum(MCP_AGENTS).describe("whose settings are changed");

const output = (z: Zod) => plan(z).extend(serverFields(z));

export const mcpInstall = defineOperation({
  name: "mcp-install",
  kind: "change",
  summary: "Add rethread to the MCP servers of an agent, in its own settings",
  input: (z) =>
    z.strictObject({
      agent: agent(z),
      allowWrite: z.boolean().exactOptional().describe("with the tools that change sessions"),
    }),
  output,
  run: (app, input, call) =>
    planWith(app, {}, call, (edit) => edit.planServer({ ...input, isAdded: true }, call)),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), server: serverOf(made) }),
});

export const mcpUninstall = defineOperation({
  name: "mcp-uninstall",
  kind: "change",
  summary: "Remove rethread from the MCP servers of an agent",
  input: (z) => z.strictObject({ agent: agent(z) }),
  output,
  run: (app, input, call) =>
    planWith(app, {}, call, (edit) => edit.planServer({ ...input, isAdded: false }, call)),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), server: serverOf(made) }),
});

function serverOf({ server }: Parameters<typeof toKeptPlanJson>[0]) {
  if (!server) throw new Error("the plan is about no server");
  const { isThere, ...fields } = server;
  return {
    ...fields,
    entry: server.entry ? { ...server.entry } : null,
    ...(isThere !== undefined && { isThere }),
  };
}
