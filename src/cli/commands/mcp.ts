/** `rethread mcp`: answers an agent's questions from the history, over the Model Context Protocol. */
import type { Config } from "../../app/config.ts";
import type { App } from "../../app/contract.ts";
import { AppError } from "../../model/errors.ts";
import { apply, previewVendorRows, written } from "../../operations/apply.ts";
import { brief } from "../../operations/brief.ts";
import { context } from "../../operations/context.ts";
import { list } from "../../operations/list.ts";
import { MCP_AGENTS, mcpInstall, mcpUninstall } from "../../operations/mcp-settings.ts";
import { outline } from "../../operations/outline.ts";
import { search } from "../../operations/search.ts";
import { schema, sql } from "../../operations/sql.ts";
import { turns } from "../../operations/turns.ts";
import { where } from "../../operations/where.ts";
import { defineCommand } from "../command.ts";
import { interruptible } from "../interrupt.ts";
import { AGREED_ARGS, runWriting } from "../writing.ts";

export default defineCommand({
  name: "mcp",
  summary: "Answer an agent's questions from your history, as an MCP server",
  brief: "Serve your history to agents (MCP)",
  about:
    "Speaks the Model Context Protocol on stdin and stdout; an agent starts it. `rethread mcp install copilot-cli` (or vscode, claude-code) adds it to the agent's own settings, which are backed up: `rethread undo` restores them, and `mcp uninstall` removes only the server. Its tools search and read past sessions; answers stay within a budget of tokens, cite session, turn and time, and have no secrets in them. Nothing is changed unless --allow-write is given. docs/mcp.md describes the tools.",
  args: {
    action: {
      kind: "positional",
      optional: true,
      choices: ["serve", "install", "uninstall"],
      help: "what to do (default: serve)",
    },
    agent: {
      kind: "positional",
      optional: true,
      choices: MCP_AGENTS,
      help: "for `install` and `uninstall`: whose settings to change",
    },
    allowWrite: {
      kind: "flag",
      help: "also offer the tools plan and apply, which change sessions",
    },
    ...AGREED_ARGS,
  },
  examples: [
    { command: "rethread mcp install claude-code", why: "let Claude Code ask your history" },
    { command: "rethread mcp install vscode --dry-run", why: "see what would be written first" },
    { command: "rethread mcp", why: "what an agent runs" },
  ],
  operations: [
    ...[search, turns, where, list, brief, context, outline, sql, schema],
    ...[mcpInstall, mcpUninstall, apply, previewVendorRows],
  ],
  json: [{ when: "of `install` and `uninstall`", schema: written(mcpInstall.output) }],
  async run({ args, config, out, openApp }) {
    const { action = "serve", agent, allowWrite } = args;
    if (action === "serve") {
      if (agent !== undefined) throw misplaced(agent);
      return serveMcp({ app: await openApp(), config, canWrite: allowWrite });
    }
    if (agent === undefined)
      throw new AppError("usage", `mcp ${action} needs an agent`, `Name one of: ${MCP_AGENTS.join(", ")}`);
    const named = { agent: agent as (typeof MCP_AGENTS)[number] };
    return action === "install"
      ? runWriting(args, openApp, out, mcpInstall, { ...named, ...(allowWrite && { allowWrite }) })
      : runWriting(args, openApp, out, mcpUninstall, named);
  },
});

const misplaced = (agent: string): AppError =>
  new AppError(
    "usage",
    "mcp serve takes no agent",
    `To add it to the agent's settings: rethread mcp install ${agent}`,
  );

interface McpOptions {
  readonly app: App;
  readonly config: Config;
  readonly canWrite: boolean;
}

async function serveMcp({ app, config, canWrite }: McpOptions): Promise<number> {
  const [{ serveClient }, { openMcpParts }] = await Promise.all([
    import("../../mcp/stdio.ts"),
    import("../../mcp/parts.ts"),
  ]);
  const parts = await openMcpParts(app, config, canWrite);
  await interruptible(({ signal }) =>
    serveClient({ parts, signal, report: (error) => void process.stderr.write(`${error.message}\n`) }),
  );
  return 0;
}
