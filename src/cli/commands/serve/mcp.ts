/** `rethread mcp`: answers an agent's questions from the history, over the Model Context Protocol. */
import type { Config } from "../../../app/config.ts";
import type { McpParts } from "../../../mcp/call-tool.ts";
import { AppError } from "../../../model/errors.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import type { Zod } from "../../../operations/operation.ts";
import { context } from "../../../operations/questions/context.ts";
import { list } from "../../../operations/questions/list.ts";
import { outline } from "../../../operations/questions/outline.ts";
import { search } from "../../../operations/questions/search.ts";
import { schema, sql } from "../../../operations/questions/sql.ts";
import { turns } from "../../../operations/questions/turns.ts";
import { where } from "../../../operations/questions/where.ts";
import { blame } from "../../../operations/reports/blame.ts";
import { boardAdd, boardGet } from "../../../operations/reports/board.ts";
import { boardPrune } from "../../../operations/reports/board-upkeep.ts";
import { brief } from "../../../operations/reports/brief.ts";
import { chronicleStandup } from "../../../operations/reports/chronicle-standup.ts";
import { MCP_AGENTS, mcpInstall, mcpUninstall } from "../../../operations/upkeep/mcp-settings.ts";
import { refuseOthers } from "../../action-args.ts";
import type { ArgSpecs } from "../../args.ts";
import { defineCommand } from "../../command.ts";
import { aborted, interruptible } from "../../interrupt.ts";
import { type Output, SCHEMA_VERSION } from "../../output.ts";
import { AGREED_ARGS, runWriting } from "../../writing.ts";

const MCP_ARGS = {
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
    help: "also offer the tools that change something: plan and apply for sessions, board_add and board_prune",
  },
  http: {
    kind: "flag",
    help: "serve over HTTP on 127.0.0.1 instead of stdin and stdout, to those who send its token",
  },
  port: {
    kind: "number",
    value: "n",
    help: "with --http: listen on this port (default: one that is free)",
  },
  ...AGREED_ARGS,
} as const satisfies ArgSpecs;

/** What each action looks at. */
const TAKES = {
  serve: ["allowWrite", "http", "port", "agent"], // of an agent it says what is meant
  install: ["agent", "allowWrite", "dryRun", "yes"],
  uninstall: ["agent", "dryRun", "yes"],
} as const satisfies Record<string, readonly (keyof typeof MCP_ARGS)[]>;

export default defineCommand({
  name: "mcp",
  summary: "Answer an agent's questions from your history, as an MCP server",
  brief: "Serve your history to agents (MCP)",
  about:
    "Speaks the Model Context Protocol on stdin and stdout; an agent starts it. `rethread mcp install <agent>` adds it to the agent's own settings, which are backed up: `rethread undo` restores them, and `mcp uninstall` removes only the server. Its tools search and read past sessions; answers stay within a budget of tokens, cite session, turn and time, and have no secrets in them. Nothing is changed unless --allow-write is given. docs/mcp.md describes the tools.",
  args: MCP_ARGS,
  examples: [
    { command: "rethread mcp install claude-code", why: "let Claude Code ask your history" },
    { command: "rethread mcp install vscode --dry-run", why: "see what would be written first" },
    { command: "rethread mcp", why: "what an agent runs" },
    { command: "rethread mcp --http --port 4010", why: "for agents that connect instead of starting it" },
  ],
  operations: [
    ...[search, turns, where, list, brief, context, outline, sql, schema],
    ...[chronicleStandup, blame, boardGet, boardAdd, boardPrune],
    ...[mcpInstall, mcpUninstall, apply, previewVendorRows],
  ],
  json: [
    { when: "of `install` and `uninstall`", schema: written(mcpInstall.output) },
    { when: "with `--http`, once it is ready", schema: servedShape },
  ],
  async run({ args, config, out, openApp }) {
    const { agent, allowWrite, http, port } = args;
    const action = (args.action ?? "serve") as keyof typeof TAKES;
    refuseOthers(`mcp ${action}`, MCP_ARGS, args, TAKES[action]);
    if (port !== undefined && !http)
      throw new AppError("usage", "--port needs --http", "Add --http, or leave out --port");
    if (action === "serve") {
      if (agent !== undefined) throw misplaced(agent);
      const { openMcpParts, prepareCopy } = await import("../../../mcp/parts.ts");
      const parts = await openMcpParts(await openApp(), config, allowWrite);
      prepareCopy(parts, config);
      return http ? overHttp(parts, { port, json: args.json }, config, out) : overStdio(parts);
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
    `To add it to the agent's settings: ${shellLine`rethread mcp install ${agent}`}`,
  );

async function overStdio(parts: McpParts): Promise<number> {
  const { serveClient } = await import("../../../mcp/stdio.ts");
  await interruptible(({ signal }) => serveClient({ parts, signal, report }));
  return 0;
}

async function overHttp(
  parts: McpParts,
  { port = 0, json }: { readonly port: number | undefined; readonly json: boolean },
  config: Config,
  out: Output,
): Promise<number> {
  if (port > 65_535) throw new AppError("usage", `There is no port ${port}`, "Name one from 1 to 65535");
  const { serveMcpHttp } = await import("../../../mcp/http.ts");
  return interruptible(async ({ signal }) => {
    const { stop, ...served } = await serveMcpHttp({ parts, config, port, report });
    if (json) out.jsonLine({ schemaVersion: SCHEMA_VERSION, ...served });
    else {
      out.line(`MCP is served here: ${out.style.cyan(served.url)}`);
      out.line(`Authorization: Bearer ${served.token}`);
      out.note("Press Ctrl-C to stop.");
    }
    await aborted(signal);
    await stop();
    return 0;
  });
}

const report = (error: unknown): void =>
  void process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);

function servedShape(z: Zod) {
  return z.object({
    url: z.string().describe("the address to give to an agent"),
    port: z.int(),
    token: z.string().describe("for `Authorization: Bearer`; the same in every run"),
    pid: z.int(),
  });
}
