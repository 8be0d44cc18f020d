/** `rethread mcp`: answers an agent's questions from the history, over the Model Context Protocol. */
import type { Config } from "../../app/config.ts";
import type { App } from "../../app/contract.ts";
import { brief } from "../../operations/brief.ts";
import { context } from "../../operations/context.ts";
import { list } from "../../operations/list.ts";
import { outline } from "../../operations/outline.ts";
import { search } from "../../operations/search.ts";
import { schema, sql } from "../../operations/sql.ts";
import { turns } from "../../operations/turns.ts";
import { where } from "../../operations/where.ts";
import { defineCommand } from "../command.ts";
import { interruptible } from "../interrupt.ts";

export default defineCommand({
  name: "mcp",
  summary: "Answer an agent's questions from your history, as an MCP server",
  brief: "Serve your history to agents (MCP)",
  about:
    "Speaks the Model Context Protocol on stdin and stdout, so an agent starts it; `rethread mcp install` adds it to one. Its tools search and read past sessions; answers stay within a budget of tokens, cite session, turn and time, and have no secrets in them. Nothing is changed unless --allow-write is given. docs/mcp.md describes the tools.",
  args: {
    allowWrite: {
      kind: "flag",
      help: "also offer the tools plan and apply, which change sessions",
    },
  },
  examples: [{ command: "rethread mcp", why: "what an agent runs" }],
  operations: [search, turns, where, list, brief, context, outline, sql, schema],
  json: [],
  async run({ args, config, openApp }) {
    const app = await openApp();
    return serveMcp({ app, config, canWrite: args.allowWrite });
  },
});

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
