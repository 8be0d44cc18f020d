/** An MCP server on made-up homes, and the SDK's own client connected to it without a process between them. */

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createApp } from "../../src/app/app.ts";
import { type Config, toConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/contract.ts";
import type { McpParts } from "../../src/mcp/call-tool.ts";
import { openMcpParts } from "../../src/mcp/parts.ts";
import { createMcpServer } from "../../src/mcp/server.ts";
import { builtSelf } from "../built.ts";

export interface TestMcp {
  readonly client: Client;
  readonly app: App;
  readonly folder: string;
  readonly parts: McpParts;
  /** The text of a tool's answer; throws where it is an error, unless that is wanted. */
  call(tool: string, input?: object): Promise<string>;
  fail(tool: string, input?: object): Promise<string>;
  close(): Promise<void>;
}

export interface TestMcpOptions {
  readonly canWrite?: boolean;
  /** Variables that lead to homes; the demo without them. */
  readonly vars?: (folder: string) => Record<string, string>;
  /** Fills the homes. */
  readonly prepare?: (folder: string) => void;
  /** Stands between the server and the app. */
  readonly wrap?: (app: App) => App;
  readonly now?: () => Date;
}

export async function startMcp(options: TestMcpOptions = {}): Promise<TestMcp> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-mcp-")));
  options.prepare?.(folder);
  const config: Config = toConfig(options.vars ? {} : { demo: "on" }, {
    vars: { RETHREAD_HOME: join(folder, "data"), PATH: process.env.PATH, ...options.vars?.(folder) },
    platform: process.platform,
    homeDir: join(folder, "home"),
    folder,
    stdout: {},
    stderr: {},
    self: builtSelf(),
    now: options.now ?? (() => new Date()),
  });
  const app = await createApp(config);
  const parts = await openMcpParts(
    options.wrap?.(app) ?? app,
    config,
    options.canWrite ?? false,
    options.wrap,
  );
  const server = createMcpServer(parts);
  const client = new Client({ name: "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs as never);
  await client.connect(ours);
  const ask = async (name: string, input: object) => {
    const answer = await client.callTool({ name, arguments: { ...input } });
    const [content] = answer.content;
    if (content?.type !== "text" || answer.content.length !== 1) throw new Error("no text");
    return { text: content.text, isError: answer.isError === true };
  };
  return {
    client,
    app,
    folder,
    parts,
    async call(tool, input = {}) {
      const { text, isError } = await ask(tool, input);
      if (isError) throw new Error(text);
      return text;
    },
    async fail(tool, input = {}) {
      const { text, isError } = await ask(tool, input);
      if (!isError) throw new Error(`no error: ${text}`);
      return text;
    },
    async close() {
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `source:id turn N, time` */
export const CITATION =
  /(?:copilot-cli|vscode|claude-code):\S+ turn \d+, \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/;
